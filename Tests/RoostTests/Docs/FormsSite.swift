import Roost

// The programs of docs/forms.md.

struct OwlInput: Decodable, Validatable {
    var name: String
    var wingspan: Int?
    var kind: String
    var email: String?
    var again: String?

    mutating func validate(_ check: inout Validation) {
        check("name", &name, .trimmed, .required, .length(...40))
        check("wingspan", wingspan, .range(5...350))
        check("kind", &kind, .required("Choose a kind."), .oneOf(["barn", "tawny"]))
        check("email", &email, .trimmed, .email)
        check.that("again", again == email, "The addresses differ.")
    }
}

struct OwlController: Controller {
    static let paths = Resource("/owls", Int.self)

    let owls: Owls

    func routes(_ routes: Routes) {
        let owls = routes.resource(Self.paths)
        owls.index(use: index)
        owls.new { _ in View("owls/form", OwlPage()) }
        owls.create(use: create)
        owls.edit(use: edit)
        owls.update(use: update)
        owls.destroy(use: destroy)
    }

    func index(_ request: Request) async throws -> some ResponseConvertible {
        View("owls/index", OwlsPage(owls: await owls.all()))
    }

    func create(_ request: Request) async throws -> Response {
        try await request.handleForm(OwlInput.self) { input in
            guard await owls.add(input) else {
                throw HTTPError(.conflict, field: "name", "There is an owl of this name.")
            }
            try request.flash("\(input.name) was added.")
            return .redirect(to: Self.paths.all.url())
        } invalid: { form in
            View("owls/form", OwlPage(form))
        }
    }

    func edit(_ request: Request, id: Int) async throws -> some ResponseConvertible {
        guard let owl = await owls.owl(id) else { throw HTTPError(.notFound) }
        return View("owls/form", try OwlPage(owl))
    }

    func update(_ request: Request, id: Int) async throws -> Response {
        try await request.handleForm(OwlInput.self) { input in
            guard await owls.change(id, input) else { throw HTTPError(.notFound) }
            return .redirect(to: Self.paths.all.url())
        } invalid: { form in
            View("owls/form", OwlPage(form, id: id))
        }
    }

    func destroy(_ request: Request, id: Int) async throws -> Response {
        guard let owl = await owls.remove(id) else { throw HTTPError(.notFound) }
        try request.flash("\(owl.name) was removed.")
        return .redirect(to: Self.paths.all.url())
    }
}

struct OwlPage: Encodable {
    static let fields = FieldSet(
        .text("name", "Name", length: 40).required,
        .text("wingspan", "Wingspan in cm", type: "number"),
        .select("kind", "Kind", ["": "", "barn": "Barn owl", "tawny": "Tawny owl"]).required)

    var action = OwlController.paths.all.url()
    var fields = Self.fields
    var message: String?

    init() {}

    init(_ form: InvalidForm, id: Int? = nil) {
        self.init(id: id)
        fields = Self.fields.typed(form)
        message = form.message(besides: fields)
    }

    init(_ owl: Owl) throws {
        self.init(id: owl.id)
        fields = try Self.fields.filled(with: owl)
    }

    private init(id: Int?) {
        guard let id else { return }
        action = OwlController.paths.one.url(id) + "?_method=patch"
    }
}

struct OwlsPage: Encodable {
    var owls: [Owl]
}

struct HollowPage: Encodable {
    let fields: FieldSet

    init(_ hollows: [Hollow], _ form: InvalidForm? = nil) {
        let choices = [("", "Choose a hollow")] + hollows.map { ("\($0.id)", $0.tree) }
        let empty = FieldSet(.select("hollow", "Hollow", choices).required)
        fields = form.map(empty.typed) ?? empty
    }
}

struct LetterController: Controller {
    static let all = Path("/letters")

    let limit = RateLimit(3, per: .hours(1))

    func routes(_ routes: Routes) {
        routes.post(Self.all, use: create)
    }

    func create(_ request: Request) async throws -> Response {
        let statuses = InvalidForm.statuses.union([.tooManyRequests])
        return try await request.handleForm(LetterInput.self, showing: statuses) { letter in
            var counted = request
            _ = try limit.before(&counted)
            return .text("Thank you for \(letter.text.utf8.count) bytes.")
        } invalid: { form in
            View("letters/form", LetterPage(form))
        }
    }
}

let german = MessageTable(
    "de",
    [
        "Must not be empty.": "Darf nicht leer sein.",
        "Must be from {minimum} to {maximum}.": "Muss von {minimum} bis {maximum} gehen.",
        "Must have at least {minimum} characters.":
            "Muss mindestens {minimum, plural, one {ein Zeichen} other {# Zeichen}} haben.",
        "Choose a kind.": "Bitte eine Art wählen.",
        "There is an owl of this name.": "Eine Eule dieses Namens ist schon da.",
        "Not Found": "Nicht gefunden",
    ])

func makeOwlSite(key: SigningKey) throws -> Application {
    try Application(
        templates: Templates(sources: OwlTemplates.all),
        pageValues: { request in OwlSiteValues(flash: request.takeFlash()) },
        middleware: [Languages([.english, german])] + Application.standardMiddleware()
            + [MethodOverride(), Flash(key: key, isHTTPS: false)]
    ) { routes in
        routes.add(OwlController(owls: Owls()))
        routes.add(ThemeController(theme: SignedCookie("theme", key: key, isHTTPS: false)))
    }
}

struct OwlSiteValues: Encodable { var flash: [String] }

struct ThemeController: Controller {
    let theme: SignedCookie

    func routes(_ routes: Routes) {
        routes.get(Path("/theme")) { request in theme.value(in: request) ?? "dawn" }
        routes.post(Path("/theme")) { request in
            var response = Response.redirect(to: "/theme")
            try theme.set(try request.form()["theme"] ?? "dawn", on: &response)
            return response
        }
    }
}

// What the page does not show.

struct Hollow {
    let id: Int
    let tree: String
}

struct LetterInput: Decodable { let text: String }

struct LetterPage: Encodable {
    static let all = FieldSet(.text("text", "Text").required)

    let fields: FieldSet
    let message: String?

    init(_ form: InvalidForm) { (fields, message) = (Self.all.typed(form), form.message(besides: Self.all)) }
}

struct Owl: Codable, Sendable {
    var id: Int
    var name: String
    var wingspan: Int?
    var kind: String
}

actor Owls {
    private var owls: [Owl] = []
    private var lastID = 0

    func all() -> [Owl] { owls }
    func owl(_ id: Int) -> Owl? { owls.first { $0.id == id } }

    func add(_ input: OwlInput) -> Bool {
        if owls.contains(where: { $0.name == input.name }) { return false }
        lastID += 1
        owls.append(Owl(id: lastID, name: input.name, wingspan: input.wingspan, kind: input.kind))
        return true
    }

    func change(_ id: Int, _ input: OwlInput) -> Bool {
        guard let index = owls.firstIndex(where: { $0.id == id }) else { return false }
        owls[index] = Owl(id: id, name: input.name, wingspan: input.wingspan, kind: input.kind)
        return true
    }

    func isFree(_ name: String) -> Bool { !owls.contains { $0.name == name } }

    func remove(_ id: Int) -> Owl? {
        owls.firstIndex { $0.id == id }.map { owls.remove(at: $0) }
    }
}

extension OwlController {
    func rename(_ request: Request, id: Int) async throws -> Response {
        try await request.handleForm(
            OwlInput.self,
            rules: { input, check in
                guard !check.hasFault("name") else { return }
                check.that("name", await owls.isFree(input.name), "There is an owl of this name.")
            }
        ) { input in
            guard await owls.change(id, input) else { throw HTTPError(.notFound) }
            return .redirect(to: Self.paths.all.url())
        } invalid: { form in
            View("owls/form", OwlPage(form, id: id))
        }
    }
}

enum OwlTemplates {
    static let form = """
        <form method="post" action="{{action}}">
          {{#message}}
          <p role="alert">{{.}}</p>
          {{/message}}
          {{#fields.name}}{{> field}}{{/fields.name}}
          {{#fields.wingspan}}{{> field}}{{/fields.wingspan}}
          {{#fields.kind}}{{> field}}{{/fields.kind}}
          <button type="submit">Save</button>
        </form>

        """

    static let field = """
        <label for="{{name}}">{{label}}</label>
        {{#isInput}}
        <input id="{{name}}" name="{{name}}" type="{{type}}" value="{{value}}"{{> attributes}}>
        {{/isInput}}
        {{#isSelect}}
        <select id="{{name}}" name="{{name}}"{{> attributes}}>
          {{#choices}}
          <option value="{{value}}"{{#isSelected}} selected{{/isSelected}}>{{label}}</option>
          {{/choices}}
        </select>
        {{/isSelect}}
        {{#error}}
        <p id="{{name}}-error">{{.}}</p>
        {{/error}}

        """

    static let attributes = """
        {{#isRequired}} required{{/isRequired}}{{#attributes}} {{name}}="{{value}}"{{/attributes}}\
        {{#error}} aria-invalid="true"{{/error}}{{#describedBy}} aria-describedby="{{.}}"{{/describedBy}}\
        {{#isFirstError}} autofocus{{/isFirstError}}

        """

    static let flash = """
        {{#flash}}
        <p role="status">{{.}}</p>
        {{/flash}}

        """

    static let all = [
        "owls/form": flash + form,
        "field": field,
        "attributes": attributes,
        "owls/index": flash + "{{#owls}}<li>{{name}}</li>{{/owls}}",
        "letters/form": "{{message}}{{#fields.text}}{{> field}}{{/fields.text}}",
    ]
}
