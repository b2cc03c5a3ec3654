import Glibc
import Roost
import RoostTesting
import Testing

@Suite("Fingerprinted assets", .timeLimit(.minutes(5)))
struct AssetTests {
    private let folder: FilesOnDisk

    init() throws {
        folder = try FilesOnDisk()
        folder.folder("css")
        folder.write("css/style.css", "a", modified: 1)
        folder.write("LICENSE", "b", modified: 1)
    }

    private func client(_ files: StaticFiles) throws -> TestClient {
        TestClient(try Application(middleware: []) { $0.fallback(files) })
    }

    @Test func `a name with the fingerprint of the content may be kept for ever`() async throws {
        let files = try StaticFiles(folder.path, at: "/static", fingerprints: true)
        let url = try files.asset("css/style.css")
        #expect(url == "/static/css/style-af63dc4c8601ec8c.css")  // FNV-1a of "a"
        let client = try client(files)
        let response = try await client.get(url)
        #expect(response.text == "a" && response.headers[.contentType] == "text/css; charset=utf-8")
        #expect(response.headers[.cacheControl] == "public, max-age=31536000, immutable")
        #expect(try await client.get("/static/css/style.css").headers[.cacheControl] == "no-cache")
        #expect(try files.asset("LICENSE") == "/static/LICENSE-af63df4c8601f1a5")
        #expect(try await client.get("/static/LICENSE-af63df4c8601f1a5").text == "b")
    }

    @Test func `a file that is asked for with a password is kept for ever by that browser alone`() async throws {
        let files = try StaticFiles(folder.path, fingerprints: true)
        let client = try client(files)
        let key: Headers = [.authorization: "Basic YTpi"]
        let response = try await client.get(files.asset("css/style.css"), headers: key)
        #expect(response.text == "a")
        #expect(response.headers[.cacheControl] == "private, max-age=31536000, immutable")
        #expect(try await client.get("/css/style.css", headers: key).headers[.cacheControl] == "no-cache")
    }

    @Test func `the fingerprint of another version gets the file, and is not kept`() async throws {
        let files = try StaticFiles(folder.path, fingerprints: true)
        _ = try files.asset("css/style.css")
        let response = try await client(files).get("/css/style-0123456789abcdef.css")
        #expect(response.text == "a" && response.headers[.cacheControl] == "no-cache")
        for name in ["style-0123456789abcde.css", "style0123456789abcdef0.css", "-0123456789abcdef.css"] {
            #expect(try await client(files).get("/css/" + name).status == .notFound)
        }
    }

    @Test func `a file that has been replaced is not kept under the name of the old one`() async throws {
        let files = try StaticFiles(folder.path, fingerprints: true)
        let url = try files.asset("css/style.css")
        folder.write("css/style.css", "b", modified: 1)
        let response = try await client(files).get(url)
        #expect(response.text == "b" && response.headers[.cacheControl] == "no-cache")
    }

    @Test func `a file whose own name looks like one is that file`() async throws {
        folder.write("css/style-0123456789abcdef.css", "own", modified: 1)
        let files = try StaticFiles(folder.path, fingerprints: true)
        #expect(try await client(files).get("/css/style-0123456789abcdef.css").text == "own")
    }

    @Test func `in development names stay as they are`() async throws {
        let files = try StaticFiles(folder.path)
        #expect(try files.asset("css/style.css") == "/css/style.css")
        #expect(try await client(files).get("/css/style-af63dc4c8601ec8c.css").status == .notFound)
    }

    @Test func `templates name assets`() throws {
        folder.folder("Templates")
        let template = "<link href=\"{{asset(\"css/style.css\")}}\">{{asset(\"LICENSE\")}}"
        folder.write("Templates/page.mustache", template, modified: 1)
        let files = try StaticFiles(folder.path, fingerprints: true)
        let templates = try Templates(directory: folder.path + "/Templates", assets: files)
        let page = String(decoding: try templates.render("page", [String: String]()), as: UTF8.self)
        #expect(page == "<link href=\"/css/style-af63dc4c8601ec8c.css\">/LICENSE-af63df4c8601f1a5")
    }

    @Test func `places in errors are those of the file, after an asset too`() throws {
        folder.folder("Templates")
        let template = "{{asset(\"css/style.css\")}} {{=<% %>=}}<%asset(\"LICENSE\")%> <%name%>"
        folder.write("Templates/page.mustache", template, modified: 1)
        let files = try StaticFiles(folder.path, fingerprints: true)
        let templates = try Templates(directory: folder.path + "/Templates", assets: files)
        let page = String(decoding: try templates.render("page", ["name": "Ann"]), as: UTF8.self)
        #expect(page == "/css/style-af63dc4c8601ec8c.css /LICENSE-af63df4c8601f1a5 Ann")
        let error = #expect(throws: TemplateError.self) { try templates.render("page", ["nobody": "Ann"]) }
        #expect(error?.location?.column == 60 && error?.location?.sourceLine == template)
    }

    @Test(arguments: [
        ("a\n {{asset(\"gone.css\")}}", "The asset gone.css is not in the folder of static files."),
        ("a\n {{asset(\"gone.css)}}", "write an asset as {{asset(\"style.css\")}}"),
        ("a\n {{asset(\"\")}}", "write an asset as {{asset(\"style.css\")}}"),
    ])
    func `an asset that is not there stops the start`(template: String, message: String) throws {
        folder.folder("Templates")
        folder.write("Templates/page.mustache", template, modified: 1)
        let files = try StaticFiles(folder.path, fingerprints: true)
        let error = #expect(throws: TemplateErrors.self) {
            try Templates(directory: folder.path + "/Templates", assets: files)
        }
        #expect(error.map { "\($0)" }?.contains(message) == true)
        #expect(error.map { "\($0)" }?.contains("page.mustache:2:2") == true, "\(error as Any)")
    }

    @Test func `an asset that is a link says so`() throws {
        symlink("css/style.css", folder.path + "/link.css")
        symlink("css", folder.path + "/linked")
        let files = try StaticFiles(folder.path, fingerprints: true)
        for (name, link) in [("link.css", "link.css"), ("linked/style.css", "linked")] {
            let error = #expect(throws: StartError.self) { try files.asset(name) }
            #expect(
                error?.description
                    == "The asset \(name) cannot be sent: \(link) is a symbolic link, and these are not followed.")
        }
    }

    @Test func `a handler sends a file below a folder, whatever the client asks for`() async throws {
        folder.write(".secret", "s", modified: 1)
        folder.write("css/style.css.gz", "zipped", modified: 2)
        let path = folder.path
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/manual/{rest}", RemainingPath.self)) { _, rest in
                try Response.file(rest.pathSegment, in: path, headers: [.cacheControl: "private"])
            }
            // A folder for others: its routes have middleware of their own.
            routes.get(Path("/manual/css/{rest}", RemainingPath.self)) { _, rest in
                try Response.file("css/" + rest.pathSegment, in: path, headers: [.cacheControl: "private"])
            }
        }
        let client = TestClient(application)
        let response = try await client.get("/manual/css/style.css")
        #expect(response.text == "a" && response.headers[.cacheControl] == "private")
        #expect(response.headers[.contentType] == "text/css; charset=utf-8")
        let tag = try #require(response.headers[.eTag])
        #expect(try await client.get("/manual/css/style.css", headers: [.ifNoneMatch: tag]).status == .notModified)
        #expect(try await client.get("/manual/LICENSE", headers: [.range: "bytes=0-0"]).status == .partialContent)
        #expect(try await client.get("/manual/css/style.css", headers: [.acceptEncoding: "gzip"]).text == "zipped")
        let leading = ["css/../.secret", "%2e%2e/etc/passwd", "css%2F..%2F..%2Fetc%2Fpasswd"]
        for hidden in ["gone", ".secret", "css", "css%2Fstyle.css", "css%2fstyle.css"] + leading {
            #expect(try await client.get("/manual/" + hidden).status == .notFound, "\(hidden)")
        }
    }
}
