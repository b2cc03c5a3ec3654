// Content negotiation (RFC 9110 §12.5.1).
//
//     Accept      = #( media-range [ weight ] )
//     media-range = ( "*/*" / ( type "/" "*" ) / ( type "/" subtype ) ) parameters
//     weight      = OWS ";" OWS "q=" qvalue
//     qvalue      = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] )
//
// The most specific range that fits a type gives its quality; the type with the highest quality wins, and among equals
// the one that the server names first.

/// What representations a client accepts.
struct Accept: Sendable {
    private struct Range {
        let type: MediaType
        /// In thousandths.
        let quality: Int
    }

    private let ranges: [Range]

    /// The value of an `Accept` field; without one, or with none that is well-formed, everything is welcome.
    init(_ value: String?) {
        ranges = (value ?? "").splitOutsideQuotes(at: UInt8(ascii: ",")).compactMap(Self.range)
    }

    /// The offered type that the client likes best; nil when it accepts none.
    func best(of offers: [MediaType]) -> MediaType? {
        var best: MediaType?
        var highest = 0
        for offer in offers where quality(of: offer) > highest {
            best = offer
            highest = quality(of: offer)
        }
        return best
    }

    /// How much a type is liked, in thousandths; 0 is not at all.
    func quality(of offer: MediaType) -> Int {
        guard !ranges.isEmpty else { return 1000 }
        var quality = 0
        var precision = -1
        for range in ranges {
            guard let precise = Self.precision(range.type, offer), precise > precision else { continue }
            precision = precise
            quality = range.quality
        }
        return quality
    }

    /// How closely a range fits a type; nil when it does not. A range with parameters asks for more than the plain
    /// types that are offered here.
    private static func precision(_ range: MediaType, _ offer: MediaType) -> Int? {
        let parameters = range.parameters.filter { $0.key != "q" && $0.key != "charset" }
        guard parameters.isEmpty || parameters == offer.parameters else { return nil }
        if range.type == "*" { return range.subtype == "*" ? 0 : nil }
        guard range.type == offer.type else { return nil }
        if range.subtype == "*" { return 1 }
        return range.subtype == offer.subtype ? 2 + parameters.count : nil
    }

    private static func range(_ text: Substring) -> Range? {
        guard let type = MediaType(text) else { return nil }
        guard let weight = type.parameters["q"] else { return Range(type: type, quality: 1000) }
        return thousandths(weight).map { Range(type: type, quality: $0) }
    }

    private static func thousandths(_ text: String) -> Int? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let decimals = parts.count > 1 ? parts[1] : ""
        let isDigit = { (byte: UInt8) in byte &- 0x30 < 10 }
        guard parts[0] == "0" || parts[0] == "1", decimals.utf8.count <= 3, decimals.utf8.allSatisfy(isDigit) else {
            return nil
        }
        let fraction = Int(decimals + String(repeating: "0", count: 3 - decimals.utf8.count)) ?? 0
        let value = (parts[0] == "1" ? 1000 : 0) + fraction
        return value <= 1000 ? value : nil
    }
}
