import Roost

/// `/api/notes`, for programs. Its types and what stands beside its routes are the description at `/api/docs`.
struct NoteController: Controller {
    static let all = Path("/notes")
    static let one = Path("/notes/{id}", Int.self)
+LANGUAGES    /// The texts of this file that visitors read.
+LANGUAGES    static let texts = ["There is no note {id}."]

    let notes: Notes

    func routes(_ api: Routes) {
        api.get(Self.all) { _ in JSON(try await notes.all()) }
            .describe("Lists the newest hundred notes.")
        api.get(Self.one, use: show)
            .describe("Shows a note.")
        api.post(Self.all, NoteInput.self, status: .created) { _, input in try await notes.add(input.text) }
            .describe("Adds a note.")
    }

    func show(_ request: Request, id: Int) async throws -> JSON<Note> {
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
