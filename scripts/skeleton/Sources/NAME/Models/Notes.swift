import RoostSQL

/// A note, as it is stored and as JSON shows it.
struct Note: Codable, Sendable, Equatable {
    let id: Int
    let text: String
}

/// Keeps notes in the database. It knows nothing of HTTP.
struct Notes: Sendable {
    let database: Database

    /// The newest hundred.
    func all() async throws -> [Note] {
        try await database.query("SELECT id, text FROM notes ORDER BY id DESC LIMIT 100", as: Note.self)
    }

    func note(_ id: Int) async throws -> Note? {
        try await database.first("SELECT id, text FROM notes WHERE id = \(id)", as: Note.self)
    }

    /// Values are bound, never spliced into the SQL.
    func add(_ text: String) async throws -> Note {
        let note = try await database.first(
            "INSERT INTO notes (text) VALUES (\(text)) RETURNING id, text", as: Note.self)
        guard let note else { throw DatabaseError.unavailable("it has not kept the note.") }
        return note
    }
}
