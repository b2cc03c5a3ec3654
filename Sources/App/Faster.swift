import Roost
import RoostSQL

// Most of what the site reads and sends is users, fifty at a time: so these types, and what is around a list of them,
// read and write themselves. With what the compiler makes of `Codable`, a page of fifty users takes twice as long
// (`docs/faster.md`). Without this file the site does the same.

extension User: SQLReadable {
    init(reading columns: inout SQLColumns) throws {
        id = try columns.read("id")
        name = try columns.read("name")
        version = try columns.read("version")
        picture = try columns.readIfPresent("picture")
    }
}

extension User.Summary: SelfWriting {
    func write(to fields: inout Fields) {
        fields.add("id", id)
        fields.add("name", name)
    }
}

extension UsersPage.Row: SelfWriting {
    func write(to fields: inout Fields) {
        fields.add("id", id)
        fields.add("name", name)
        fields.add("pictureURL", pictureURL)
    }
}

extension UsersPage: SelfWriting {
    func write(to fields: inout Fields) {
        fields.add("users", users)
        fields.add("hasUsers", hasUsers)
        fields.add("search", search)
        fields.add("isFirst", isFirst)
        fields.add("nextURL", nextURL)
        fields.add("previousURL", previousURL)
        fields.add("hasOthers", hasOthers)
        fields.add("fields", self.fields)
    }
}

extension SiteValues: SelfWriting {
    func write(to fields: inout Fields) {
        fields.add("signedInAs", signedInAs)
        fields.add("isSignedOut", isSignedOut)
        fields.add("hasPatterns", hasPatterns)
        fields.add("flash", flash)
    }
}
