import Glibc
import Roost
import RoostSQL
import RoostSQLite
import RoostTLS
import RoostTesting
import Testing

// The programs of docs/tls.md.

func makeGreeter() throws -> Application {
    let app = try Application(services: [try TLS()]) { routes in
        routes.get(Path("/")) { request in "Hello over \(request.scheme)" }
    }
    return app
}

func makeShop(_ database: Database) throws -> Application {
    let tls = try TLS(storage: SQLCertificateStorage(database))
    return try Application(services: [database, tls]) { routes in
        routes.get(Path("/")) { _ in "Fresh eggs" }
    }
}

@Suite("The page about TLS", .quietLog, .timeLimit(.minutes(2)))
struct TLSPageTests {
    @Test func `the greeter and the shop answer`() async throws {
        #expect(try await TestClient(makeGreeter()).get("/").text == "Hello over http")
        let database = Database(SQLiteDriver(SQLiteConfiguration(path: ":memory:")))
        #expect(try await TestClient(makeShop(database)).get("/").text == "Fresh eggs")
    }

    @Test func `its programs are compiled`() throws {
        let page = try Self.text("docs/tls.md")
        let source = try Self.text("Tests/RoostTLSTests/PageTests.swift")
        let blocks = page.split(separator: "```swift\n").dropFirst().compactMap { $0.split(separator: "```").first }
        #expect(blocks.count == 2)
        for line in blocks.joined(separator: "\n").split(separator: "\n") {
            #expect(source.contains(line), "\(line)")
        }
    }

    private static func text(_ path: String) throws -> String {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        let file = try #require(fopen("\(root)/\(path)", "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
