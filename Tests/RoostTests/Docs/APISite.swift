import Roost

// The programs of docs/api.md, letter for letter, and the model that they use.

actor Storks {
    private var storks: [Stork] = []

    func all(_ filter: StorkFilter) -> [Stork] {
        Array(storks.filter { filter.kind == nil || $0.kind == filter.kind }.prefix(filter.limit ?? 50))
    }

    func stork(_ id: Int) -> Stork? { storks.first { $0.id == id } }

    func add(_ input: StorkInput) -> Stork {
        let stork = Stork(id: storks.count + 1, ring: input.ring, kind: input.kind, weight: input.weight)
        storks.append(stork)
        return stork
    }

    func change(_ id: Int, _ patch: StorkPatch) -> Stork? {
        guard let place = storks.firstIndex(where: { $0.id == id }) else { return nil }
        patch.kind.apply(to: &storks[place].kind)
        patch.weight.apply(to: &storks[place].weight)
        return storks[place]
    }

    func remove(_ id: Int) -> Bool {
        let count = storks.count
        storks.removeAll { $0.id == id }
        return storks.count < count
    }
}

struct Stork: Codable, Sendable {
    let id: Int
    let ring: Ring
    var kind: Kind
    var weight: Double?

    enum Kind: String, Codable, CaseIterable { case white, black }
}

struct StorkFilter: Decodable {
    var kind: Stork.Kind?
    var limit: Int?
}

struct StorkInput: Decodable, Validatable {
    var ring: Ring
    var kind: Stork.Kind
    var weight: Double?

    mutating func validate(_ check: inout Validation) { check("weight", weight, .range(0.01...20)) }
}

struct StorkPatch: Decodable, Validatable {
    var kind: MergePatch<Stork.Kind>
    var weight: MergePatch<Double>

    mutating func validate(_ check: inout Validation) {
        check("kind", kind, .required)
        check("weight", weight, .range(0.01...20))
    }
}

struct StorkQuery: Decodable, Validatable {
    var sort: String?
    var limit: Int?

    mutating func validate(_ check: inout Validation) {
        check("sort", &sort, .oneOf(["ring", "-ring"]))
        check("limit", limit, .range(1...200))
    }
}

func makeStorkApp() throws -> Application {
    try Application(api: APIDescription(title: "Storks", version: "1")) { routes in
        routes.group(Path("/api"), described: true) { $0.add(StorkAPI(storks: Storks())) }
    }
}

struct StorkAPI: Controller {
    static let all = Path("/storks")
    static let one = Path("/storks/{id}", Int.self)

    let storks: Storks

    func routes(_ api: Routes) {
        api.get(Self.all, StorkFilter.self) { _, filter in await storks.all(filter) }
            .describe("Lists the storks.")
        api.get(Self.one, use: show)
            .describe("Shows a stork.")
        api.post(Self.all, StorkInput.self, status: .created) { _, input in await storks.add(input) }
            .describe("Adds a stork.", responses: [.conflict: "The ring is in use."])
        api.patch(Self.one, StorkPatch.self, use: change)
            .describe("Changes a stork.")
        api.delete(Self.one, use: remove)
            .describe("Removes a stork.", status: .noContent)
    }

    func show(_ request: Request, id: Int) async throws -> JSON<Stork> {
        guard let stork = await storks.stork(id) else { throw HTTPError(.notFound) }
        return JSON(stork)
    }

    func change(_ request: Request, patch: StorkPatch, id: Int) async throws -> Stork {
        guard let stork = await storks.change(id, patch) else { throw HTTPError(.notFound) }
        return stork
    }

    func remove(_ request: Request, id: Int) async throws -> Response {
        guard await storks.remove(id) else { throw HTTPError(.notFound) }
        return Response(.noContent)
    }
}

/// `AB12`, checked when it is read: nothing but the type itself knows the form.
struct Ring: Codable, Described {
    static let schema: JSONValue? = ["type": "string", "pattern": "^[A-Z]{2}[0-9]{2}$"]
    static let example = Ring(text: "AB12")

    let text: String

    init(text: String) { self.text = text }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = try container.decode(String.self)
        guard text.wholeMatch(of: /[A-Z]{2}[0-9]{2}/) != nil else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Expected a ring like AB12.")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
