import Roost

// The program of docs/languages.md.

struct House: Encodable {
    var count: Int
    var price = 20
    var house: [String: Int] { ["price": price] }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(count, forKey: .count)
        try members.encode(house, forKey: .house)
    }

    private enum CodingKeys: CodingKey { case count, house }
}

struct HouseValues: Encodable {
    let language: String
    let isRightToLeft: Bool
}

func makeHouse(_ tables: [MessageTable], _ templates: Templates) throws -> Application {
    try Application(
        templates: templates,
        pageValues: { HouseValues(language: $0.messages.language, isRightToLeft: $0.messages.isRightToLeft) },
        middleware: [Languages(tables, cookie: "language", parameter: "language")] + Application.standardMiddleware()
    ) { routes in
        routes.get(Path("/rooms/{count}", Int.self)) { _, count in View("rooms", House(count: count)) }
    }
}

struct OfferInput: Decodable, Validatable {
    var price: LocalNumber

    func validate(_ check: inout Validation) { check("price", price, .range(1...10_000)) }
}

struct OfferPage: Encodable {
    static let fields = FieldSet(.number("price", "Price", decimals: 2).required)

    var fields = Self.fields
}
