import Testing

@testable import Roost

/// The fields in which proxies tell about clients: RFC 7239, and those that came before it.
@Suite("Trusted proxies", .timeLimit(.minutes(5)))
struct ForwardedTests {
    /// `address https authority`, where `-` stands for nothing.
    private static func client(
        _ fields: [(String, String)], peer: String? = "10.0.0.1", trusting: String = "10.0.0.0/8,local"
    ) throws -> String {
        var headers: Headers = [:]
        for (name, value) in fields { headers.append(try #require(HTTPField.Name(name)), value) }
        let request = try Request(.get, "/", headers: headers)
        let peer = try peer.map { PeerAddress.tcp(try #require(IPAddress($0)), port: 1) } ?? .local
        let proxies = try #require(TrustedProxies(trusting))
        let client = ForwardedClient(request.receivedFields, from: peer, trusting: proxies)
        let scheme = client.isHTTPS ?? false ? "https" : "http"
        return "\(client.address?.description ?? "-") \(scheme) \(client.authority ?? "-")"
    }

    @Test(arguments: ["Forwarded", "X-Forwarded-For"])
    func `at most 32 proxies are followed`(name: String) throws {
        let (client, proxy) = name == "Forwarded" ? ("for=192.0.2.1", "for=10.1.1.1") : ("192.0.2.1", "10.1.1.1")
        for (count, expected) in [(31, "192.0.2.1 http -"), (32, "10.1.1.1 http -"), (2000, "10.1.1.1 http -")] {
            let list = ([client] + Array(repeating: proxy, count: count)).joined(separator: ",")
            #expect(try Self.client([(name, list)]) == expected)
            let lines = [(name, client)] + Array(repeating: (name, proxy), count: min(count, 90))
            #expect(try Self.client(lines) == expected)
        }
        let long = "_" + String(repeating: "a", count: 100)
        #expect(try Self.client([(name, name == "Forwarded" ? "for=\(long)" : long)]) == "10.0.0.1 http -")
    }

    // MARK: Forwarded (RFC 7239)

    @Test(arguments: [
        ("for=192.0.2.60;proto=http;by=203.0.113.43", "192.0.2.60 http -"),
        ("for=192.0.2.43, for=10.1.1.1", "192.0.2.43 http -"),
        ("For=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17 http -"),
        ("for=192.0.2.60; proto=https; host=example.com:8443", "192.0.2.60 https example.com:8443"),
        ("FOR=192.0.2.60;PROTO=HTTPS;HOST=\"example.com\"", "192.0.2.60 https example.com"),
        ("for=\"192.0.2.60:80\"", "192.0.2.60 http -"), ("for=\"192.0.2.60:_x\"", "192.0.2.60 http -"),
        ("proto=https", "10.0.0.1 https -"), ("for=unknown;proto=https", "10.0.0.1 https -"),
        ("for=_hidden;host=a", "10.0.0.1 http a"), (";for=192.0.2.60;;", "192.0.2.60 http -"),
        (",, for=192.0.2.60 ,", "192.0.2.60 http -"), ("", "10.0.0.1 http -"),
    ])
    func `the last element is the peer's`(field: String, expected: String) throws {
        #expect(try Self.client([("Forwarded", field)]) == expected)
    }

    @Test func `an element counts only if a trusted proxy has made it`() throws {
        let inner = "for=10.0.0.2;proto=http;host=inner"
        #expect(
            try Self.client([("Forwarded", "for=1.2.3.4;host=evil, for=192.0.2.1;proto=https;host=a, \(inner)")])
                == "192.0.2.1 https a")
        #expect(try Self.client([("Forwarded", "for=1.2.3.4"), ("Forwarded", "for=192.0.2.1")]) == "192.0.2.1 http -")
        // All are proxies: the first one speaks for itself.
        #expect(try Self.client([("Forwarded", "for=10.0.0.3;proto=https, \(inner)")]) == "10.0.0.3 https -")
    }

    @Test(arguments: [
        "for=", "for", "=", "for=1.2.3", "for=\"[2001:db8::1\"", "for=\"[1.2.3.4]\"",
        "for=\"1.2.3.4:\"", "for=\"1.2.3.4:123456\"", "for=\"1.2.3.4:http\"", "for=_", "for=_a%", "for=a b",
        "for=1.2.3.4;for=1.2.3.4", "for=\"1.2.3.4", "for=\"1.2\"3.4\"", "for=1.2.3.4;proto=a\"b", "for=\"[::1]x\"",
    ])
    func `a malformed element says nothing, and hides what stands before it`(element: String) throws {
        #expect(try Self.client([("Forwarded", element)]) == "10.0.0.1 http -")
        let chain = "for=192.0.2.1;proto=https, \(element), for=10.0.0.2;proto=https"
        guard element.utf8.count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2) else { return }
        #expect(try Self.client([("Forwarded", chain)]) == "10.0.0.2 https -")
    }

    @Test func `a client's open quote does not hide what the proxy says, or at most everything`() throws {
        #expect(try Self.client([("Forwarded", "for=\"x"), ("Forwarded", "for=192.0.2.1")]) == "192.0.2.1 http -")
        #expect(try Self.client([("Forwarded", "for=\"1.2.3.4, for=192.0.2.1")]) == "10.0.0.1 http -")
    }

    @Test(arguments: ["a b", "a/b", "a@b", "", "a:99999", "[::1", "a\"b", "ä"])
    func `what is no host is left out`(host: String) throws {
        #expect(try Self.client([("X-Forwarded-Host", host), ("X-Forwarded-For", "192.0.2.1")]) == "192.0.2.1 http -")
    }

    // MARK: X-Forwarded-…

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("1.2.3.4, 192.0.2.1", "192.0.2.1"), ("192.0.2.1, 10.9.9.9", "192.0.2.1"),
        ("1.2.3.4,192.0.2.1,10.9.9.9,10.8.8.8", "192.0.2.1"), ("10.9.9.9", "10.9.9.9"),
        ("2001:db8::1", "2001:db8::1"), ("[2001:db8::1]:443", "2001:db8::1"), ("192.0.2.1:5000", "192.0.2.1"),
        ("unknown", "10.0.0.1"), ("bogus", "10.0.0.1"), ("192.0.2.1,", "10.0.0.1"), ("192.0.2.1, bogus", "10.0.0.1"),
        ("bogus, 192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("", "10.0.0.1"),
    ])
    func `the client is the last address that is no proxy's`(field: String, address: String) throws {
        #expect(try Self.client([("X-Forwarded-For", field)]) == "\(address) http -")
    }

    @Test func `scheme and host are those at the client's place, or the only ones`() throws {
        func client(_ node: String, _ scheme: String, _ host: String) throws -> String {
            try Self.client([
                ("X-Forwarded-For", node), ("X-Forwarded-Proto", scheme), ("X-Forwarded-Host", host),
            ])
        }
        #expect(try client("192.0.2.1", "https", "example.com") == "192.0.2.1 https example.com")
        #expect(try client("192.0.2.1, 10.0.0.2", "https", "example.com") == "192.0.2.1 https example.com")
        #expect(try client("192.0.2.1, 10.0.0.2", "https, http", "example.com, b") == "192.0.2.1 https example.com")
        // The client's own inventions come before what the proxy has added.
        #expect(try client("1.2.3.4, 192.0.2.1", "https, http", "evil, example.com") == "192.0.2.1 http example.com")
        #expect(try Self.client([("X-Forwarded-Proto", "HTTPS")]) == "10.0.0.1 https -")
        #expect(try Self.client([("X-Forwarded-Proto", "wss")]) == "10.0.0.1 https -")
        #expect(try Self.client([("X-Forwarded-Proto", "httpsx")]) == "10.0.0.1 http -")
    }

    @Test func `a proxy on a Unix socket has no address`() throws {
        #expect(try Self.client([], peer: nil) == "- http -")
        #expect(try Self.client([("X-Forwarded-For", "192.0.2.1")], peer: nil) == "192.0.2.1 http -")
    }

    @Test func `fields of both kinds must say the same`() throws {
        let usual = [("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-Proto", "https")]
        #expect(try Self.client(usual + [("Forwarded", "for=192.0.2.1;proto=https")]) == "192.0.2.1 https -")
        for forged in ["for=1.2.3.4;proto=https", "for=192.0.2.1", "for=192.0.2.1;proto=https;host=evil", "bogus"] {
            #expect(try Self.client(usual + [("Forwarded", forged)]) == "10.0.0.1 http -", "\(forged)")
        }
    }
}
