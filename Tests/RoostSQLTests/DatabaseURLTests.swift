import Roost
import RoostSQL
import Testing

@Suite("DATABASE_URL", .timeLimit(.minutes(5)))
struct DatabaseURLTests {
    @Test(arguments: [
        ("sqlite:users.sqlite", DatabaseURL.sqlite(path: "/data/users.sqlite")),
        ("sqlite:/srv/a:b.sqlite", .sqlite(path: "/srv/a:b.sqlite")), ("sqlite::memory:", .sqlite(path: ":memory:")),
        ("postgres://ann:secret@db/site", .postgresql("postgres://ann:secret@db/site")),
        ("postgresql:///site?host=/run", .postgresql("postgresql:///site?host=/run")),
    ])
    func `names a place`(text: String, url: DatabaseURL) throws {
        #expect(try DatabaseURL(text).inFolder("/data") == url)
    }

    @Test(arguments: ["", "users.sqlite", "sqlite:", "mysql://ann:secret@db/site", "ann:secret@db", "sqlite:a\u{0}b"])
    func `any other text is a sentence that reveals no secret`(text: String) {
        let error = #expect(throws: StartError.self) { try DatabaseURL(text) }
        #expect(error?.description.contains("set it to sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME.") == true)
        #expect(error?.description.contains("secret") == false)
    }
}
