import Roost
import RoostTesting
import Testing

@Suite("One test, in process and over TCP", .timeLimit(.minutes(5)))
struct TestClientTransportTests {
    private static func application() throws -> Application {
        let around = Sessions(MemorySessionStore(), isHTTPS: false)
        // Over TCP the server's clock runs, and the machine may be busy.
        var configuration = ServerConfiguration()
        configuration.headTimeout = .seconds(300)
        configuration.bodyTimeout = .seconds(300)
        return try Application(configuration: configuration, middleware: [around]) { routes in
            routes.get(Path("/peer")) { request in "\(request.peer.ip?.description ?? "local") \(request.authority)" }
            routes.post(Path("/visits")) { request -> Response in
                let session = try await request.session
                session["visits"] = "\((session["visits"].flatMap { Int($0) } ?? 0) + 1)"
                return .redirect(to: "/visits?done#end")
            }
            routes.get(Path("/visits")) { request in
                let visits = try await request.session["visits"] ?? "none"
                return "\(visits) \(request.queryString ?? "-")"
            }
            routes.post(Path("/again")) { _ in Response.redirect(to: "here", status: .temporaryRedirect) }
            routes.post(Path("/here")) { request in try request.body.text }
            routes.post(Path("/part")) { _ in Response.redirect(to: "#end") }
            routes.get(Path("/part")) { request in request.queryString ?? "-" }
            for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete] {
                routes.on(method)(Path("/moved/{status}", Int.self)) { _, status in
                    Response(HTTPResponse.Status(code: status), headers: [.location: "/seen"])
                }
                routes.on(method)(Path("/seen")) { request in
                    Response(.ok, headers: [.allow: request.method.rawValue], body: Body(try request.body.text))
                }
            }
            routes.get(Path("/loop")) { _ in Response.redirect(to: "/loop") }
            routes.get(Path("/away")) { _ in Response.redirect(to: "https://elsewhere.example/") }
            routes.post(Path("/count")) { request in "\(try request.body.bytes.count)" }
            routes.post(Path("/type")) { request in
                "\(request.headers[.contentType]?.prefix(30) ?? "") \(try request.body.text)"
            }
        }
    }

    @Test(arguments: TestClient.Transport.allCases)
    func `both keep cookies, follow redirects on request, and say who asks`(transport: TestClient.Transport)
        async throws
    {
        let client = TestClient(try Self.application(), timeout: .seconds(300), over: transport)
        #expect(try await client.get("/peer").text == "127.0.0.1 localhost")
        let plain = try await client.post("/visits")
        #expect(plain.status == .seeOther)
        let followed = try await client.post("/visits", form: Form([("a", "b")]), followsRedirects: true)
        #expect(followed.text == "2 done")
        #expect(try await client.post("/again", body: Array("kept".utf8), followsRedirects: true).text == "kept")
        #expect(try await client.post("/part?x=1", followsRedirects: true).text == "x=1")
        #expect(try await client.get("/away", followsRedirects: true).status == .seeOther)
        await #expect(throws: UnexpectedResponse.self) { try await client.get("/loop", followsRedirects: true) }
        try await client.stop()
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect keeps the method as in browsers`(status: Int) async throws {
        let client = TestClient(try Self.application())
        for method in [HTTPRequest.Method.get, .head, .post, .put, .patch, .delete] {
            let hasBody = method != .get && method != .head
            let seen = try await client.on(method)(
                "/moved/\(status)", body: hasBody ? Array("kept".utf8) : [], followsRedirects: true)
            let looks = status == 303 ? method != .head : status < 303 && method == .post
            #expect(seen.headers[.allow] == (looks ? "GET" : method.rawValue))
            #expect(seen.text == (hasBody && !looks ? "kept" : ""))
        }
    }

    /// The server asks for the rest of a large body, since not all of that has come with the head.
    @Test(arguments: TestClient.Transport.allCases)
    func `an invitation to send the body is not the response`(transport: TestClient.Transport) async throws {
        let client = TestClient(try Self.application(), timeout: .seconds(300), over: transport)
        let body = [UInt8](repeating: 7, count: 1_000_000)
        let response = try await client.post("/count", headers: [.expect: "100-continue"], body: body)
        #expect(response.status == .ok && response.text == "1000000", "\(response)")
        try await client.stop()
    }

    @Test func `a multipart body is written as browsers write it`() async throws {
        let client = TestClient(try Self.application())
        let text = try await client.post(
            "/type",
            multipart: [.field("a \"b\"", "1"), .file("picture", "é\r\n.png", type: "image/png", Array("PNG".utf8))]
        ).text
        #expect(text.hasPrefix("multipart/form-data; boundary="))
        let boundary = String(text.dropFirst(31).prefix { $0 != "\r\n" })
        let expected = [
            boundary + "\r\nContent-Disposition: form-data; name=\"a %22b%22\"\r\n\r\n1\r\n",
            boundary + "\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"é%0D%0A.png\"\r\n"
                + "Content-Type: image/png\r\n\r\nPNG\r\n", boundary + "--\r\n",
        ]
        #expect(text.hasSuffix(expected.joined()), "\(text)")
    }

    @Test func `a response is shown whole`() async throws {
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/")) { _ in Response(.conflict, headers: [.eTag: "\"7\""], body: Body("Try again.")) }
            routes.get(Path("/bytes")) { _ in Response(.ok, "image/png", Body([0xFF, 0])) }
        }
        let client = TestClient(application)
        let shown = "\(try await client.get("/"))"
        #expect(shown.hasPrefix("409 Conflict\n") && shown.hasSuffix("\n\nTry again."))
        #expect(shown.contains("\nETag: \"7\"") && shown.contains("\nContent-Length: 10"))
        #expect("\(try await client.get("/bytes"))".hasSuffix("\n\n2 bytes"))
    }
}
