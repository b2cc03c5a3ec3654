import Roost

-ACCOUNTS/// `/notes`: a page for a browser, JSON for everyone else.
+ACCOUNTS/// `/notes`: a page for a browser, JSON for everyone else. Everybody may read them, and members add some.
struct NoteController: Controller {
    static let paths = Resource("/notes", Int.self)
+LANGUAGES    /// The texts of this file that visitors read.
+LANGUAGES    static let texts = ["There is no note {id}."]

    let notes: Notes
+ACCOUNTS    /// The middleware that lets pass only those who have signed in.
+ACCOUNTS    let members: any Middleware
    /// The ids of new notes: pages that show the notes follow them.
    let additions = Topic<Int>()

    func routes(_ routes: Routes) {
        let notes = routes.resource(Self.paths)
        notes.index(use: index)
        routes.live(Self.paths.all, on: additions)
-ACCOUNTS        notes.create(use: create)
        notes.show(use: show)
+ACCOUNTS        routes.group(middleware: [members]) { routes in
+ACCOUNTS            routes.resource(Self.paths).create(use: create)
+ACCOUNTS        }
    }

    /// `GET /notes`
    func index(_ request: Request) async throws -> some ResponseConvertible {
        let notes = try await notes.all()
        return request.negotiate(json: notes, html: View("notes/index", NotesPage(notes: notes)))
    }

    /// `POST /notes`, from the page's form or as JSON.
    func create(_ request: Request) async throws -> Response {
        try await request.handleForm(NoteInput.self) { input in
            let note = try await notes.add(input.text)
            additions.publish(note.id)
            if request.isForm { return .redirect(to: Self.paths.all.url()) }
            return .json(note, status: .created, headers: [.location: Self.paths.one.url(note.id)])
        } invalid: { form in
            let error = form.message(for: "text") ?? form.message
            return View("notes/index", NotesPage(notes: try await notes.all(), text: form["text"], error: error))
        }
    }

    /// `GET /notes/3`
    func show(_ request: Request, id: Int) async throws -> some ResponseConvertible {
        guard let note = try await notes.note(id) else {
-LANGUAGES            throw HTTPError(.notFound, "There is no note \(id).")
+LANGUAGES            throw HTTPError(.notFound, Sentence("There is no note {id}.", ["id": id]))
        }
        return JSON(note)
    }
}

/// The input of a client, which can set nothing else.
struct NoteInput: Decodable, Validatable {
    var text: String

    mutating func validate(_ check: inout Validation) {
        check("text", &text, .trimmed, .required, .length(...200))
    }
}

/// The values of the page.
struct NotesPage: Encodable {
    var notes: [Note]
    var text = ""
    var error: String?
}
