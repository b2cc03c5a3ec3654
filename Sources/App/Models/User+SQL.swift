import RoostSQL

// Most of what is read from the database is users, so they read themselves.
extension User: SQLReadable {
    init(reading columns: inout SQLColumns) throws {
        id = try columns.read("id")
        name = try columns.read("name")
        version = try columns.read("version")
        picture = try columns.readIfPresent("picture")
    }
}
