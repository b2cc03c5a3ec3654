import HTTPTypes
import Testing

@testable import Roost

@Suite("RFC 6455 §4.2: the server's handshake", .timeLimit(.minutes(5)))
struct HandshakeTests {
    /// The client's request of RFC 6455 §1.2, with changes.
    static func request(
        _ changes: Headers = [:], method: HTTPRequest.Method = .get, without: HTTPField.Name? = nil,
        body: Body = Body()
    ) throws -> Request {
        var headers: Headers = [
            .upgrade: "websocket", .connection: "Upgrade",
            .secWebSocketKey: "dGhlIHNhbXBsZSBub25jZQ==", .secWebSocketVersion: "13",
        ]
        headers["Host"] = "server.example.com"
        for field in changes.list { headers[field.name] = field.value }
        if let without { headers[without] = nil }
        return try Request(method, "/chat", headers: headers, body: body)
    }

    private func accept(_ request: Request, _ options: WebSocketOptions = WebSocketOptions()) throws -> Headers {
        try WebSocketHandshake(request, options).headers
    }

    private func status(_ request: Request, _ options: WebSocketOptions = WebSocketOptions()) -> Int? {
        do throws(HTTPError) {
            _ = try WebSocketHandshake(request, options)
            return nil
        } catch {
            return error.status.code
        }
    }

    @Test func `the RFC's own example gets the RFC's own response`() throws {
        let headers = try accept(Self.request())
        #expect(headers[.secWebSocketAccept] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(headers[.upgrade] == "websocket")
        #expect(headers[.secWebSocketProtocol] == nil && headers[.secWebSocketExtensions] == nil)
    }

    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
        (String(repeating: "a", count: 64), "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
    ])
    func `SHA-1 is that of RFC 3174`(text: String, digest: String) throws {
        let hexadecimal = SHA1.digest(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(hexadecimal == digest)
    }

    @Test(arguments: ["WebSocket", "WEBSOCKET", "h2c, websocket", "websocket , h2c"])
    func `Upgrade names it in any case, among others`(value: String) throws {
        #expect(try status(Self.request([.upgrade: value])) == nil)
    }

    @Test(arguments: ["keep-alive, Upgrade", "upgrade", "UPGRADE,close", " ,, upgrade"])
    func `so does Connection`(value: String) throws {
        #expect(try status(Self.request([.connection: value])) == nil)
    }

    @Test(arguments: [
        ("Upgrade", "h2c"), ("Upgrade", "websockets"), ("Upgrade", ""), ("Connection", "keep-alive"),
        ("Connection", "upgraded"), ("Sec-WebSocket-Version", "8"), ("Sec-WebSocket-Version", "013"),
        ("Sec-WebSocket-Version", "13, 8"), ("Sec-WebSocket-Version", ""),
    ])
    func `what does not ask for a WebSocket of version 13 is told what is spoken here`(
        name: String, value: String
    ) throws {
        let name = try #require(HTTPField.Name(name))
        for request in try [Self.request([name: value]), Self.request(without: name)] {
            do {
                _ = try accept(request)
                Issue.record("accepted")
            } catch let error as HTTPError {
                #expect(error.status == .upgradeRequired)
                #expect(error.headers[.upgrade] == "websocket" && error.headers[.secWebSocketVersion] == "13")
            }
        }
    }

    @Test(arguments: [HTTPRequest.Method.head, .post])
    func `only GET becomes a WebSocket`(method: HTTPRequest.Method) throws {
        #expect(try status(Self.request(method: method)) == 426)
    }

    @Test(arguments: [
        "", "dGhlIHNhbXBsZSBub25jZQ=", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZ===", "dGhlIHNhbXBsZSBub25j!Q==",
        "dGhlIHNhbXBsZSBub25jZQ==, dGhlIHNhbXBsZSBub25jZQ==", "c2hvcnQ=", "dGhlIHNhbXBsZSBub25jZQ==AAAA",
    ])
    func `a key is 16 bytes in base64`(key: String) throws {
        #expect(try status(Self.request([.secWebSocketKey: key])) == 400)
        #expect(try status(Self.request(without: .secWebSocketKey)) == 400)
    }

    @Test func `a request with a body is refused`() throws {
        #expect(try status(Self.request(body: "frames?")) == 400)
    }

    @Suite("RFC 6455 §4.2.2, §10.2: origins", .timeLimit(.minutes(5))) struct OriginTests {
        private func isAllowed(_ headers: Headers, _ origins: WebSocketOptions.Origins) -> Bool {
            (try? WebSocketHandshake(request(headers), WebSocketOptions(origins: origins))) != nil
        }

        @Test(arguments: [
            (["Origin": "https://server.example.com"], true), (["Origin": "http://SERVER.example.com"], true),
            ([:], true), (["Origin": "https://evil.example"], false), (["Origin": "null"], false),
            (["Origin": "https://server.example.com:8443"], false),
            (["Origin": "https://server.example.com.evil.example"], false),
            (["Sec-Fetch-Site": "same-origin"], true), (["Sec-Fetch-Site": "cross-site"], false),
            (["Sec-Fetch-Site": "same-site", "Origin": "https://server.example.com"], false),
        ])
        func `a page of another site is refused, as for requests that change something`(
            fields: [String: String], isOwn: Bool
        ) throws {
            var headers: Headers = [:]
            for (name, value) in fields { headers[try #require(HTTPField.Name(name))] = value }
            #expect(isAllowed(headers, .own) == isOwn)
            #expect(isAllowed(headers, .any))
        }

        @Test func `other sites can be trusted`() throws {
            let origins = WebSocketOptions.Origins.ownAnd(["https://app.example.com"])
            #expect(isAllowed([.origin: "https://app.example.com", .secFetchSite: "cross-site"], origins))
            #expect(!isAllowed([.origin: "https://app.example.org"], origins))
            #expect(!isAllowed([.origin: "https://app.example.com"], .own))
            let written = WebSocketOptions.Origins.ownAnd(["https://App.example.com:443/"])
            #expect(isAllowed([.origin: "https://app.example.com", .secFetchSite: "cross-site"], written))
        }

        @Test func `they can be changed`() throws {
            var options = WebSocketOptions(origins: .any)
            options.origins = .ownAnd(["https://app.example.com"])
            for (origin, isAllowed) in [("https://app.example.com", true), ("https://app.example.org", false)] {
                let headers: Headers = [.origin: origin, .secFetchSite: "cross-site"]
                #expect(((try? WebSocketHandshake(request(headers), options)) != nil) == isAllowed)
            }
        }
    }

    @Suite("RFC 6455 §1.9, §4.2.2: subprotocols", .timeLimit(.minutes(5))) struct SubprotocolTests {
        @Test(arguments: [
            ("chat, superchat", ["superchat", "chat"], "chat"), ("a,b , c", ["c", "b"], "b"), ("Chat", ["chat"], nil),
            ("a", [], nil), ("", ["a"], nil),
        ])
        func `the client's first choice that is spoken here`(offer: String, known: [String], chosen: String?) throws {
            let options = WebSocketOptions(subprotocols: known)
            let handshake = try WebSocketHandshake(request([.secWebSocketProtocol: offer]), options)
            #expect(handshake.subprotocol == chosen)
            #expect(handshake.headers[.secWebSocketProtocol] == chosen)
        }

        @Test func `64 of them are a list, and one more is refused`() throws {
            let names = (0..<64).map { "a\($0)" }
            let options = WebSocketOptions(subprotocols: ["a63"])
            let handshake = try WebSocketHandshake(
                request([.secWebSocketProtocol: names.joined(separator: ", ")]), options)
            #expect(handshake.subprotocol == "a63")
            #expect(throws: HTTPError.self) {
                let more = (names + ["b"]).joined(separator: ", ")
                _ = try WebSocketHandshake(request([.secWebSocketProtocol: more]), options)
            }
        }

        @Test(arguments: ["a b", "a, a", "(a)", "\"a\""])
        func `anything but different tokens is refused`(offer: String) throws {
            #expect(throws: HTTPError.self) {
                try WebSocketHandshake(request([.secWebSocketProtocol: offer]), WebSocketOptions())
            }
        }
    }
}
