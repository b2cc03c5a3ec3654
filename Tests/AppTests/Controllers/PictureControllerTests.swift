import HTTPTypes
import Processes
import Roost
import RoostTesting
import Testing

import class FoundationEssentials.FileManager

@testable import App

@Suite("/users/{id}/picture", .quietLog, .timeLimit(.minutes(5)))
struct PictureControllerTests {
    private static let type: Headers = [.contentType: "multipart/form-data; boundary=X"]
    private static let browser: Headers = [
        .contentType: "multipart/form-data; boundary=X", .accept: "text/html,*/*;q=0.8",
    ]

    /// A picture of this size, of which only the header is right.
    private static func png(_ width: Int = 10, _ height: Int = 10, bytes: Int = 100) -> [UInt8] {
        var head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        head += "IHDR".utf8
        for side in [width, height] { withUnsafeBytes(of: UInt32(side).bigEndian) { head += $0 } }
        return head + [UInt8](repeating: 7, count: bytes - head.count)
    }

    private static let gif = Array("GIF89a".utf8) + [1, 0, 1, 0]
    /// A form with a picture, in parts that X divides.
    static let gifForm = form(gif)

    private static func form(_ picture: [UInt8]?, name: String = "picture") -> [UInt8] {
        let head =
            "--X\r\nContent-Disposition: form-data; name=\(name); filename=\"<a>.html\"\r\n"
            + "Content-Type: text/html\r\n\r\n"
        return (picture.map { Array(head.utf8) + $0 + [13, 10] } ?? []) + Array("--X--\r\n".utf8)
    }

    private static func post(
        _ client: TestClient, _ picture: [UInt8]?, _ headers: Headers = type, id: Int = 1
    ) async throws -> WireClient.Response {
        try await client.post("/users/\(id)/picture", headers: headers, body: form(picture))
    }

    @Test func `a picture is sent as it came, and can do nothing else`() async throws {
        let client = try await Site.member()
        #expect(try await client.get("/users/1/picture").status == .notFound)
        let picture = Self.png()
        let made = try await Self.post(client, picture)
        #expect(made.status == .created)
        #expect(made.headers[.location] == "/users/1/picture")
        let visitor = try await client.get("/users/1/picture")
        #expect(visitor.body == picture)
        #expect(visitor.headers[.contentType] == "image/png")
        #expect(visitor.headers[.xContentTypeOptions] == "nosniff")
        #expect(visitor.headers[.contentSecurityPolicy] == "default-src 'none'; frame-ancestors 'none'; sandbox")
        let tag = try #require(visitor.headers[.eTag])
        #expect(try await client.get("/users/1/picture", headers: [.ifNoneMatch: tag]).status == .notModified)
        #expect(try await client.head("/users/1/picture").status == .ok)
        #expect(try await Self.post(client, Self.gif).status == .noContent)
        let replaced = try await client.get("/users/1/picture", headers: [.ifNoneMatch: tag])
        #expect(replaced.body == Self.gif)
        #expect(replaced.headers[.contentType] == "image/gif")
    }

    /// Pictures and the status for each. Tests get the places, since their arguments are printed.
    private static let pictures: [(picture: [UInt8]?, status: Int)] = [
        (png(bytes: 2 * 1024 * 1024), 201), (png(bytes: 2 * 1024 * 1024 + 1), 413), (png(4096, 4096), 201),
        (png(4097, 1), 422), (png(1, 4097), 422), (png(1 << 30, 1 << 30), 422), (nil, 422), ([], 415),
        (Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8), 415), (Array("GIF89a".utf8), 415),
        (png(0, 1), 415),
    ]

    @Test(arguments: pictures.indices)
    func `each limit has its status, and problem details for programs`(place: Int) async throws {
        let (picture, status) = Self.pictures[place]
        let client = try await Site.member()
        let response = try await Self.post(client, picture)
        #expect(response.status.code == status)
        guard status != 201 else { return }
        #expect(response.headers[.contentType] == "application/problem+json")
        #expect(response.text.contains(##""pointer":"#/picture""##))
        #expect(try await client.get("/users/1/picture").status == .notFound)
        let page = try await Self.post(client, picture, Self.browser)
        #expect(page.status.code == status)
        #expect(page.text.contains("<p class=\"error\" id=\"picture-error\">"))
        #expect(page.text.contains("<title>Error: Nelson · Roost</title>"))
    }

    @Test func `another body, another field and nobody's picture are refused`() async throws {
        let client = try await Site.member()
        let text = try await client.post("/users/1/picture", headers: [.contentType: "image/png"], body: Self.png())
        #expect(text.status == .unsupportedMediaType)
        let other = try await client.post(
            "/users/1/picture", headers: Self.type, body: Self.form(Self.png(), name: "x"))
        #expect(other.status == .unprocessableContent)
        #expect(try await Self.post(client, Self.png(), id: 3).status == .notFound)
        let huge: Headers = [.contentType: "multipart/form-data; boundary=X"]
        let body = Self.form(Self.png(bytes: 17 * 1024 * 1024))
        #expect(try await client.post("/users/1/picture", headers: huge, body: body).status == .contentTooLarge)
    }

    @Test func `a visitor who has not signed in may only look`() async throws {
        let client = try Site.visitor()
        #expect(try await Self.post(client, Self.png()).status == .unauthorized)
        #expect(try await client.delete("/users/1/picture").status == .unauthorized)
        let page = try await Self.post(client, Self.png(), Self.browser)
        #expect(page.headers[.location]?.hasPrefix("/login") == true)
        let cross: Headers = [.contentType: "multipart/form-data; boundary=X", .init("Sec-Fetch-Site")!: "cross-site"]
        #expect(try await Self.post(try await Site.member(), Self.png(), cross).status == .forbidden)
    }

    @Test func `the pages show it, and a form removes it`() async throws {
        let client = try await Site.member()
        let posted = try await Self.post(client, Self.png(), Self.browser)
        #expect(posted.status == .seeOther)
        #expect(posted.headers[.location] == "/users/1")
        let page = try await client.get("/users/1", headers: Site.browser).text
        #expect(page.contains("<p class=\"flash\" role=\"status\">Nelson has a new picture.</p>"))
        let version = try #require(page.components(between: "src=\"/users/1/picture?v=", and: "\"").first)
        #expect(version.count == 8)
        let url = "/users/1/picture?v=\(version)"
        #expect(page.contains("<img class=\"portrait\" src=\"\(url)\" alt=\"Picture of Nelson\">"))
        #expect(try await client.get(url).body == Self.png())
        let list = try await client.get("/users", headers: Site.browser).text
        #expect(!list.contains("role=\"status\">Nelson"))
        #expect(list.contains("<a href=\"/users/1\"><img src=\"\(url)\" alt=\"\""))
        #expect(list.contains("<li><a href=\"/users/2\">Cathy</a></li>"))
        let removed = try await client.post("/users/1/picture/delete", form: [:])
        #expect(removed.headers[.location] == "/users/1")
        #expect(try await client.get("/users/1/picture").status == .notFound)
        #expect(try await client.post("/users/1/picture/delete", form: [:]).status == .notFound)
    }

    @Test func `a program removes it, and so does removing the user`() async throws {
        let client = try await Site.member()
        _ = try await Self.post(client, Self.png())
        #expect(try await client.delete("/users/1/picture").status == .noContent)
        #expect(try await client.delete("/users/1/picture").status == .notFound)
        let pictures = MemoryFileStore()
        let users = try await Self.users()
        _ = try await users.setPicture("a.png", of: 1)
        try await pictures.save(UploadedFile(name: "", Self.png()), as: "a.png")
        let sessions = Sessions(MemorySessionStore(), isHTTPS: false)
        let controller = UserController(users: users, pictures: pictures, writers: sessions)
        let app = try Application(middleware: [sessions]) { routes in
            routes.delete(UserController.paths.one) { try await controller.destroy($0, id: $1) }
        }
        #expect(try await TestClient(app).delete("/users/1").status == .noContent)
        #expect(pictures.names.isEmpty)
    }

    /// Users whose changes are made, although the caller gets an error: nobody knows what has become of a COMMIT.
    private struct UncertainUsers: UserRepository {
        let users: SQLUserRepository
        struct Uncertain: Error {}

        var changes: any TopicProtocol<UserChange> { users.changes }
        func list(_ query: UserQuery) async throws -> Page<User> { try await users.list(query) }
        func user(_ id: Int) async throws -> User? { try await users.user(id) }
        func add(_ name: String) async throws -> User { try await users.add(name) }
        func rename(_ id: Int, to name: String, version: Int?) async throws -> UserOutcome { .missing }
        func remove(_ id: Int, version: Int?) async throws -> UserOutcome { .missing }
        func setPicture(_ picture: String?, of id: Int) async throws -> User? {
            _ = try await users.setPicture(picture, of: id)
            throw Uncertain()
        }
    }

    /// Files, of which none can be removed.
    private struct LastingFiles: FileStore {
        let files = MemoryFileStore()
        struct Stuck: Error {}

        func save(_ file: UploadedFile, as name: String) async throws { try await files.save(file, as: name) }
        func remove(_ name: String) async throws { throw Stuck() }
        func response(to request: Request, for name: String, contentType: String) async throws -> Response? {
            try await files.response(to: request, for: name, contentType: contentType)
        }
        func removeUnused(
            olderThan age: Duration, used: @Sendable ([String]) async throws -> Set<String>
        ) async throws -> Int { 0 }
    }

    private static func users() async throws -> SQLUserRepository {
        SQLUserRepository(database: try await TestDatabase.sqlite())
    }

    private static func client(_ users: any UserRepository, _ files: any FileStore) throws -> TestClient {
        let sessions = Sessions(MemorySessionStore(), isHTTPS: false)
        return TestClient(
            try Application(middleware: [sessions]) { routes in
                routes.add(PictureController(users: users, pictures: files, writers: sessions))
            })
    }

    @Test func `a picture that its user may have stays`() async throws {
        let client = try Self.client(UncertainUsers(users: try await Self.users()), MemoryFileStore())
        #expect(try await Self.post(client, Self.png()).status == .internalServerError)
        #expect(try await client.get("/users/1/picture").body == Self.png())
    }

    @Test func `a picture that cannot be removed makes no other one go`() async throws {
        let client = try Self.client(try await Self.users(), LastingFiles())
        #expect(try await Self.post(client, Self.png()).status == .created)
        #expect(try await Self.post(client, Self.gif).status == .noContent)
        #expect(try await client.get("/users/1/picture").body == Self.gif)
        #expect(try await client.delete("/users/1/picture").status == .noContent)
    }

    @Test func `a page says once what was done`() async throws {
        let client = try await Site.member()
        let added = try await client.post("/users", form: ["name": "Ada <3"])
        let page = try await client.get(added.headers[.location] ?? "", headers: Site.browser)
        #expect(page.text.contains("<p class=\"flash\" role=\"status\">Ada &lt;3 was added.</p>"))
        _ = try await client.post("/users/3", form: ["name": "Ada"])
        let renamed = try await client.get("/users/3", headers: Site.browser)
        #expect(renamed.text.contains("<p class=\"flash\" role=\"status\">The name is now Ada.</p>"))
        _ = try await client.post("/users/3/delete", form: [:])
        let list = try await client.get("/users", headers: Site.browser)
        #expect(list.text.contains("<p class=\"flash\" role=\"status\">Ada was removed.</p>"))
        #expect(!(try await client.get("/users", headers: Site.browser).text.contains("class=\"flash\"")))
    }

    @Test func `pictures are files of the data folder, shared by instances, and outlive them`() async throws {
        let folder = "/tmp/roost-pictures-\(UInt64.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var settings = try Settings(["DATA_DIR": folder])
        settings.root = Site.root
        let picture = Self.png()
        do {
            let client = TestClient(try Site.application(settings))
            _ = try await client.post("/login", form: ["email": "test@example.com", "password": "123456"])
            #expect(try await Self.post(client, picture).status == .created)
            try await client.stop()
        }
        let other = TestClient(try Site.application(settings))
        #expect(try await other.get("/users/1/picture").body == picture)
        try await other.stop()
    }

    @Test(.enabled(if: MotoServer.isInstalled, "moto is not installed: scripts/test --all installs it"))
    func `pictures may be in a bucket instead, where every instance finds them`() async throws {
        let server = try await MotoServer.shared()
        let bucket = try await server.makeBucket()
        let files = "s3://key:secret@\(bucket)/pictures?endpoint=\(server.endpoint)"
        var settings = try Settings(["DATABASE_URL": "memory:", "FILES_URL": files])
        settings.root = Site.root
        let client = TestClient(try Site.application(settings))
        _ = try await client.post("/login", form: ["email": "test@example.com", "password": "123456"])
        #expect(try await Self.post(client, Self.png()).status == .created)
        #expect(try await client.get("/users/1/picture").body == Self.png())
        let listed = try await WireClient(port: server.port).get("/\(bucket)")
        #expect(listed.text.contains("<Key>pictures/"))
        #expect(try await client.delete("/users/1/picture").status == .noContent)
        #expect(!(try await WireClient(port: server.port).get("/\(bucket)").text.contains("<Key>")))
        try await client.stop()
    }
}
