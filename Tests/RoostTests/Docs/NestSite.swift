import Roost
import RoostTesting
import Testing

// The programs of docs/requests.md, letter for letter, and the model that they use.

struct Nest: Codable, Equatable {
    let id: Int
    let tree: String
    let eggs: Int?
}

actor Nests {
    private var nests: [Nest] = []

    func all(in tree: String?, limit: Int) -> [Nest] {
        Array(nests.filter { tree == nil || $0.tree == tree }.prefix(max(0, limit)))
    }

    func nest(_ id: Int) -> Nest? { nests.first { $0.id == id } }

    func add(_ input: NestInput) -> Nest {
        let nest = Nest(id: nests.count + 1, tree: input.tree, eggs: input.eggs)
        nests.append(nest)
        return nest
    }

    func remove(_ id: Int) -> Bool {
        let before = nests.count
        nests.removeAll { $0.id == id }
        return nests.count < before
    }
}

func makeNestApp() throws -> Application {
    let nests = Nests()
    let template = "<form><input name=tree value=\"{{tree}}\">{{#errors}}<p>{{.}}</p>{{/errors}}</form>"
    let search = """
        {{#fields.all}}<input name={{name}} value="{{value}}">{{#error}}<p>{{.}}</p>{{/error}}{{/fields.all}}\
        {{#nests}}<li>{{tree}}</li>{{/nests}}
        """
    let templates = try Templates(sources: ["nests/new": template, "nests/search": search])
    return try Application(templates: templates) { routes in
        routes.add(NestAPI(nests: nests))
        routes.add(NestPages(nests: nests))
        routes.get(NestPages.search, use: NestPages(nests: nests).find)
        routes.add(NestLog())
    }
}

struct NestAPI: Controller {
    static let prefix = Path("/api")
    static let all = Path("/nests")
    static let one = Path("/nests/{id}", Int.self)
    /// A path does not know its group's prefix, so a path for URLs has both, in a line of its own.
    static let location = prefix.appending(one)

    let nests: Nests

    func routes(_ routes: Routes) {
        routes.group(Self.prefix, middleware: [Self.convention, Self.errors]) { api in
            api.get(Self.all, use: index)
            api.post(Self.all, use: create)
            api.get(Self.one, use: show)
            api.delete(Self.one, use: remove)
        }
    }

    /// `{"tree":"oak","found_at":"2026-11-22T12:00:00.000Z"}`, in requests and in responses.
    static let convention = JSONConvention(JSONCoder(keys: .snakeCase, dates: .iso8601WithMilliseconds))

    /// `{"errors":{"tree":["A tree is needed."]}}`, with the status and the fields of the error.
    static var errors: ErrorPages {
        ErrorPages(
            .json { error, _ in
                let parts = error.parts.isEmpty ? [.init("", error.message ?? error.status.reasonPhrase)] : error.parts
                return .json(["errors": Dictionary(grouping: parts, by: \.name).mapValues { $0.map(\.message) }])
            }
        )
    }

    /// `GET /api/nests?tree=oak&limit=10`
    func index(_ request: Request) async throws -> some ResponseConvertible {
        let filter = try request.decodeQuery(NestFilter.self)
        return JSON(await nests.all(in: filter.tree, limit: filter.limit ?? 50))
    }

    func create(_ request: Request) async throws -> some ResponseConvertible {
        let nest = await nests.add(try request.decode(NestInput.self).checked())
        return JSON(nest, status: .created, headers: [.location: Self.location.url(nest.id)])
    }

    func show(_ request: Request, id: Int) async throws -> some ResponseConvertible {
        guard let nest = await nests.nest(id) else { throw HTTPError(.notFound) }
        return JSON(nest)
    }

    func remove(_ request: Request, id: Int) async throws -> some ResponseConvertible {
        guard await nests.remove(id) else { throw HTTPError(.notFound) }
        return Response(.noContent)
    }
}

struct NestFilter: Codable {
    var tree: String?
    var limit: Int?
}

struct NestInput: Decodable {
    var tree: String
    var eggs: Int?

    func checked() throws -> NestInput {
        var wrong: [HTTPError.Part] = []
        if tree.isEmpty { wrong.append(.init("/tree", "A tree is needed.")) }
        if let eggs, !(0...12).contains(eggs) { wrong.append(.init("/eggs", "A nest has at most 12 eggs.")) }
        guard wrong.isEmpty else { throw HTTPError(.unprocessableContent, parts: wrong) }
        return self
    }
}

struct NestLog: Controller {
    static let log = Path("/log")

    func routes(_ routes: Routes) {
        routes.post(Self.log) { request in
            let (bytes, text) = try (request.body.bytes, request.body.text)
            return "\(bytes.count) bytes: \(text)"
        }
        routes.put(Self.log, body: .streamed) { request in
            let whole = try await request.body.collect(upTo: 8 << 20)
            return "\(try whole.bytes.count) bytes"
        }
    }
}

struct NestPages: Controller {
    static let new = Path("/nests/new")
    static let all = Path("/nests")

    let nests: Nests

    func routes(_ routes: Routes) {
        routes.get(Self.new) { _ in View("nests/new", NewNestPage()) }
        routes.post(Self.all, use: create)
    }

    func create(_ request: Request) async throws -> Response {
        let input = try request.decode(NestInput.self)
        do {
            _ = await nests.add(try input.checked())
            return .redirect(to: Self.new.url())
        } catch let error as HTTPError {
            let page = NewNestPage(tree: input.tree, errors: error.parts.map(\.message))
            return .view("nests/new", page, status: error.status)
        }
    }
}

struct NewNestPage: Encodable {
    var tree = ""
    var errors: [String] = []
}

struct NestSearchPage: Encodable {
    static let all = FieldSet(.text("tree", "Tree"), .text("limit", "At most", type: "number"))

    var fields: FieldSet
    var nests: [Nest] = []
}

extension NestPages {
    static let search = Path("/nests/search")

    /// `GET /nests/search?tree=oak&limit=10`
    func find(_ request: Request) async throws -> View {
        do {
            let filter = try request.decodeQuery(NestFilter.self)
            let found = await nests.all(in: filter.tree, limit: filter.limit ?? 50)
            let fields = try NestSearchPage.all.filled(with: filter)
            return View("nests/search", NestSearchPage(fields: fields, nests: found))
        } catch let error as HTTPError where error.status == .badRequest && request.prefersPage {
            let form = InvalidForm(typed: request.query, error: error)
            return View(
                "nests/search", NestSearchPage(fields: NestSearchPage.all.typed(form)), status: error.status)
        }
    }

    /// `/nests/search?tree=old%20oak`
    static func url(searching tree: String) -> String {
        search.url() + "?" + Form([("tree", tree)]).urlEncoded
    }
}
