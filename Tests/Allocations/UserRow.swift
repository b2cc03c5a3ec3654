import Glibc
import Roost
import RoostSQL
import RoostSQLite

/// A user as a row of a table, which reads and writes itself.
struct UserRow: SQLReadable, SelfWriting {
    let id: Int
    let name: String

    init(reading columns: inout SQLColumns) throws {
        id = try columns.read("id")
        name = try columns.read("name")
    }

    func write(to fields: inout Fields) {
        fields.add("id", id)
        fields.add("name", name)
    }

    /// A database in a new folder, and what removes it.
    static func database() async throws -> (Database, remove: () -> Void) {
        var template = Array("/tmp/roost-allocations-XXXXXX".utf8CString)
        guard let folder = mkdtemp(&template).map({ String(cString: $0) }) else {
            throw DatabaseError.unavailable("No folder could be made in /tmp: \(String(cString: strerror(errno))).")
        }
        let path = folder + "/users.sqlite"
        let database = Database(SQLiteDriver(SQLiteConfiguration(path: path)))
        try await database.start()
        try await database.execute("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        try await database.execute("INSERT INTO users (name) VALUES ('Nelson'), ('Cathy')")
        await database.stop()
        let remove = {
            for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
            rmdir(folder)
        }
        return (Database(SQLiteDriver(SQLiteConfiguration(path: path))), remove)
    }
}
