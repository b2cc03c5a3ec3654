import Roost
import RoostTesting
import Testing

/// The page about uploads: its programs are compiled in UploadsSite.swift, and used here.
@Suite(.quietLog, .timeLimit(.minutes(5)))
struct `The page about uploads` {
    private static let type: Headers = [.contentType: "multipart/form-data; boundary=X"]

    private static func client(_ photos: any FileStore = MemoryFileStore()) throws -> TestClient {
        TestClient(
            try Application(templates: Templates(sources: ["photos/new": "{{title}}: {{#error}}{{.}}{{/error}}"])) {
                $0.add(PhotoController(photos: photos))
                $0.add(FilmController())
            })
    }

    private static func body(title: String, photo: [UInt8]?) -> [UInt8] {
        let field = "--X\r\nContent-Disposition: form-data; name=title\r\n\r\n\(title)\r\n"
        let file = "--X\r\nContent-Disposition: form-data; name=photo; filename=\"a.html\"\r\n\r\n"
        return Array(field.utf8) + (photo.map { Array(file.utf8) + $0 + [13, 10] } ?? []) + Array("--X--".utf8)
    }

    /// The beginning of a PNG of this width, which is all that is looked at.
    private static func png(width: UInt8) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
            + [0, 0, width, 0, 0, 0, 0, 1]
    }

    @Test func `a photo is kept and sent as it came`() async throws {
        let client = try Self.client()
        let photo = Self.png(width: 16)
        let response = try await client.post("/photos", headers: Self.type, body: Self.body(title: "Owl", photo: photo))
        #expect(response.status == .seeOther)
        let url = try #require(response.headers[.location])
        #expect(url.hasSuffix(".png"))
        let sent = try await client.get(url)
        #expect(sent.body == photo)
        #expect(sent.headers[.contentType] == "image/png")
        #expect(sent.headers[.xContentTypeOptions] == "nosniff")
        #expect(sent.headers[.contentSecurityPolicy] == "default-src 'none'; sandbox")
        let tag = try #require(sent.headers[.eTag])
        #expect(try await client.get(url, headers: [.ifNoneMatch: tag]).status == .notModified)
        for name in ["7.png", "..%2Fa.png", ".png", "%2E%2E.jpeg"] {
            #expect(try await client.get("/photos/\(name)").status == .notFound, "\(name)")
        }
    }

    /// The beginning of a picture of this format.
    private static func picture(_ format: ImageHeader.Format) -> [UInt8] {
        switch format {
        case .png: png(width: 16)
        case .jpeg: [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 16, 0, 16]
        case .gif: Array("GIF89a".utf8) + [16, 0, 1, 0]
        case .webp: Array("RIFF    WEBPVP8X    ".utf8) + [UInt8](repeating: 0, count: 10)
        }
    }

    @Test(arguments: ImageHeader.Format.allCases)
    func `a photo of each format that is taken is sent with its type`(format: ImageHeader.Format) async throws {
        let (client, photo) = (try Self.client(), Self.picture(format))
        let response = try await client.post("/photos", headers: Self.type, body: Self.body(title: "Owl", photo: photo))
        let sent = try await client.get(try #require(response.headers[.location]))
        #expect(sent.status == .ok && sent.body == photo)
        #expect(sent.headers[.contentType] == "image/\(format.rawValue)")
    }

    @Test func `what is no photo, or too large a one, is refused`() async throws {
        let client = try Self.client()
        let headers: Headers = [.contentType: "multipart/form-data; boundary=X", .accept: "text/html"]
        for (photo, status, text) in [
            (Array("<svg/>".utf8), 415, "Owl: This is not a picture."),
            (Self.png(width: 17), 422, "Owl: At most 4,096 pixels a side."),
            (nil, 422, "Owl: Choose a photo."),
        ] {
            let body = Self.body(title: "Owl", photo: photo)
            let page = try await client.post("/photos", headers: headers, body: body)
            #expect(page.status.code == status)
            #expect(page.text == text)
            #expect(try await client.post("/photos", headers: Self.type, body: body).status.code == status)
        }
    }

    @Test func `its template sends the file, and comes back with what was typed`() async throws {
        let page = Readme.contents("docs/uploads.md")
        let markup = try #require(page.components(between: "```mustache\n", and: "```").first)
        let client = TestClient(
            try Application(templates: Templates(sources: ["photos/new": markup])) { routes in
                routes.add(PhotoController(photos: MemoryFileStore()))
            })
        let headers: Headers = [.contentType: "multipart/form-data; boundary=X", .accept: "text/html"]
        let again = try await client.post("/photos", headers: headers, body: Self.body(title: "<Owl>", photo: nil))
        #expect(again.status == .unprocessableContent)
        for part in [
            #" action="/photos" enctype="multipart/form-data">"#, #" value="&lt;Owl&gt;""#,
            "<p role=\"alert\">Choose a photo.</p>", #"<input name="photo" type="file" "#,
        ] {
            #expect(again.text.contains(part), "\(again.text)")
        }
    }

    @Test func `an API takes the same form, and says in JSON what became of it`() async throws {
        let photos = MemoryFileStore()
        let client = TestClient(
            try Application(api: APIDescription(title: "Photos", version: "1")) { routes in
                routes.add(PhotoAPI(photos: photos))
                routes.add(PhotoController(photos: photos))
            })
        let title = FormPart.field("title", "Owl")
        let photo = FormPart.file("photo", "owl.png", Self.png(width: 16))
        let added = try await client.post("/api/photos", multipart: [title, photo])
        #expect(added.status == .created, "\(added)")
        let path = try #require(added.headers[.location])
        let kept = try added.json(KeptPhoto.self)
        #expect(kept.title == "Owl" && kept.path == path)
        #expect(try await client.get(path).body == Self.png(width: 16))
        let untitled = try await client.post("/api/photos", multipart: [photo])
        #expect(untitled.status == .unprocessableContent && untitled.text.contains("/title"))
        let large = FormPart.file("photo", "owl.png", [UInt8](repeating: 0, count: 5 << 20 + 1))
        #expect(try await client.post("/api/photos", multipart: [title, large]).status == .contentTooLarge)
        let drawing = FormPart.file("photo", "owl.svg", Array("<svg/>".utf8))
        #expect(try await client.post("/api/photos", multipart: [title, drawing]).status == .unsupportedMediaType)
        let document = try await client.get("/api/openapi.json").json(JSONValue.self)
        let body = document["paths"]?["/api/photos"]?["post"]?["requestBody"]
        #expect(body?["content"]?["multipart/form-data"] != nil)
    }

    @Test func `photos are kept in a folder, which is made`() async throws {
        let folder = try FilesOnDisk()
        let client = TestClient(try photoSite(folder.path + "/kept/photos", Templates(sources: [:])))
        let body = Self.body(title: "Owl", photo: Self.png(width: 16))
        let url = try #require(try await client.post("/photos", headers: Self.type, body: body).headers[.location])
        #expect(try await client.get(url).body == Self.png(width: 16))
    }

    @Test func `a film is read as it comes`() async throws {
        let film = [UInt8](repeating: 7, count: 3_000_000)
        let body = Self.body(title: "Owl", photo: film)
        let response = try await Self.client().post("/films", headers: Self.type, body: body)
        #expect(try response.json([String: Int].self) == ["title": 3, "photo": 3_000_000])
    }
}
