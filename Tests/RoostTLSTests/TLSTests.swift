import COpenSSL
import Glibc
import Processes
import Roost
import RoostTLS
import RoostTesting
import Synchronization
import Testing

@Suite("HTTP/1.1 over TLS", .timeLimit(.minutes(5)))
struct TLSTests {
    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `requests get their responses, one after the other`(version: Int32) async throws {
        let site = try await TLSSite()
        let client = try await site.connect(.init(version: version))
        #expect(client.chosenProtocol == "http/1.1")
        for _ in 0..<3 {
            try await client.send(request)
            let response = try await client.text(until: "true")
            #expect(response.hasPrefix("HTTP/1.1 200 OK\r\n"))
            // What it says for localhost would hold for all programs there.
            #expect(!response.lowercased().contains("strict-transport-security"))
            #expect(response.hasSuffix("https true"))
        }
    }

    @Test func `a client that is reset in the middle of a record is noticed`() async throws {
        let victim = Mutex<Int32>(-1)
        let site = try await TLSSite(routes: { routes in
            TLSSite.usual(routes)
            // On the loop's thread, so that the bytes and the reset behind them come together.
            routes.get(Path("/cut")) { _ in
                victim.withLock { socket in
                    let part: [UInt8] = [23, 3, 3, 64]
                    #expect(write(socket, part, part.count) == part.count)
                    let nothing = open("/dev/null", O_RDONLY)
                    dup2(nothing, socket)
                    close(nothing)
                }
                return "cut"
            }
        })
        let (lost, other) = (try await site.connect(), try await site.connect())
        victim.withLock { $0 = lost.socket }
        // It leaves its response unread, so its end is a reset.
        try await lost.send(request)
        for _ in 0..<2 {
            try await other.send(request)
            _ = try await other.text(until: "true")
        }
        try await other.send("GET /cut HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try await other.text(until: "cut")
        // Far less than its time for the next request.
        for _ in 0..<20 where await site.server.connectionCount() > 1 {
            await site.server.passSecond()
            try await turn()
        }
        #expect(await site.server.connectionCount() == 1)
        withExtendedLifetime(lost) {}
    }

    @Test func `HSTS and safe cookies follow by themselves`() async throws {
        let site = try await TLSSite(routes: { routes in
            routes.group(middleware: [Sessions(MemorySessionStore(), isHTTPS: false)]) { routes in
                routes.get(Path("/")) { request in
                    try await request.session["name"] = "Nelson"
                    return "kept"
                }
            }
        })
        let client = try await site.connect()
        try await client.send("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n")
        let response = try await client.text(until: "kept").lowercased()
        #expect(response.contains("\r\nstrict-transport-security: max-age=63072000; includesubdomains\r\n"))
        #expect(response.contains("\r\nset-cookie: __host-session="))
        #expect(response.contains("; secure; httponly; samesite=lax\r\n"))
    }

    @Test func `a client without ALPN speaks HTTP/1.1`() async throws {
        let site = try await TLSSite()
        let client = try await site.connect(.init(protocols: []))
        try await client.send(request)
        #expect(try await client.text(until: "true").contains(" 200 OK"))
    }

    @Test func `pipelined requests and large bodies pass both ways`() async throws {
        let body = [UInt8]((0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        let site = try await TLSSite(routes: { routes in
            TLSSite.usual(routes)
            routes.get(Path("/large")) { _ in Response(.ok, "application/octet-stream", Body(body)) }
        })
        let client = try await site.connect()
        try await client.send(
            "POST /length HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.count)\r\n\r\n")
        try await client.send(body)
        #expect(try await client.text(until: "bytes").hasSuffix("600000 bytes"))

        try await client.send("GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let (bytes, isEnded) = try await client.read()
        #expect(bytes.suffix(body.count).elementsEqual(body))
        #expect(isEnded)
    }

    @Test func `a file goes out whole to a client that is slow to take it`() async throws {
        let site = try await TLSSite(routes: { _ in })
        let content = [UInt8]((0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 2) })
        let path = site.folder.write("file", content)
        let files = try await TLSSite(routes: { routes in
            routes.get(Path("/file")) { _ in try Response.file(path) }
        })
        let client = try await files.connect()
        try await client.send("GET /file HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        while await files.server.unsentCount() == 0 { try await turn() }
        let (bytes, isEnded) = try await client.read()
        #expect(bytes.suffix(content.count).elementsEqual(content))
        #expect(isEnded)
    }

    @Test func `WebSockets pass`() async throws {
        let site = try await TLSSite(routes: { routes in
            routes.webSocket(Path("/echo"), WebSocketOptions(origins: .any)) { socket, _ in
                for try await message in socket { try await socket.send(message) }
            }
        })
        let client = try await site.connect()
        try await client.send(
            "GET /echo HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
        #expect(try await client.text(until: "\r\n\r\n").hasPrefix("HTTP/1.1 101 "))
        // A masked frame with the text "hi" (RFC 6455 §5.2).
        try await client.send([0x81, 0x82, 0, 0, 0, 0] + Array("hi".utf8))
        #expect(try await client.read(count: 4).bytes == [0x81, 0x02] + Array("hi".utf8))
    }

    @Test func `a connection that the client ends is closed, and told so`() async throws {
        let site = try await TLSSite()
        let client = try await site.connect()
        try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(try await client.read().end)
        shutdown(client.socket, Int32(SHUT_WR))
        while await site.server.connectionCount() > 0 { try await turn() }
    }
}

@Suite("Handshakes of TLS", .timeLimit(.minutes(5)))
struct HandshakeTests {
    @Test func `TLS 1.1 is refused, and the log says why`() async throws {
        let site = try await TLSSite()
        let client = try await site.client(.init(version: TLS1_1_VERSION))
        #expect(try await !client.connect())
        try await site.waits(for: "No TLS with 127.0.0.1: the client knows no TLS as new as 1.2.")
    }

    @Test(arguments: ["localhost", nil])
    func `an authority is shown a proof or nothing`(host: String?) async throws {
        let site = try await TLSSite()
        let client = try await site.client(.init(host: host, protocols: ["acme-tls/1"]))
        #expect(try await !client.connect())
        #expect(try await site.connect().isFor("localhost"))
    }

    @Test func `failed handshakes are counted`() async throws {
        let metrics = PrometheusMetrics()
        let site = try await TLSSite(metrics: metrics)
        for _ in 0..<2 {
            let client = try await site.client(.init(version: TLS1_1_VERSION))
            #expect(try await !client.connect())
            while await site.server.connectionCount() > 0 { try await turn() }
        }
        await site.server.passSecond()
        #expect(metrics.text().contains("\nroost_failed_handshakes_total 2\n"), "\(metrics.text())")
    }

    @Test func `the time at which the certificate expires is measured`() async throws {
        let metrics = PrometheusMetrics()
        let site = try await TLSSite(metrics: metrics)
        await site.server.passSecond()
        let name = "\nroost_certificate_expiry_timestamp_seconds "
        let line = try #require(metrics.text().split(separator: name).last?.prefix { $0 != "\n" })
        let days = (try #require(Int(line)) - time(nil)) / 86_400
        #expect(days == 29 || days == 30)
    }

    @Test func `a client that wants another protocol is refused`() async throws {
        let site = try await TLSSite()
        let client = try await site.client(.init(protocols: ["imap"]))
        #expect(try await !client.connect())
        try await site.waits(for: "No TLS with 127.0.0.1: the client wants neither HTTP/2 nor HTTP/1.1.")
    }

    @Test(arguments: [
        (request, "the client spoke HTTP without TLS"), ("\0\0\0\0\0\0\0\0\0\0\0\0", "the client did not speak TLS"),
    ])
    func `bytes that are not TLS end the connection`(bytes: String, reason: String) async throws {
        let site = try await TLSSite()
        let client = try await site.client()
        _ = write(client.socket, bytes, bytes.utf8.count)
        try await site.waits(for: "No TLS with 127.0.0.1: \(reason).")
        while await site.server.connectionCount() > 0 { try await turn() }
    }

    @Test func `a handshake has the time of a head`() async throws {
        let site = try await TLSSite()
        let silent = try await site.client()
        let slow = try await site.client()
        // The beginning of a ClientHello.
        _ = write(slow.socket, [0x16, 3, 1, 2, 0, 1] as [UInt8], 6)
        for _ in 0..<11 { await site.server.passSecond() }
        #expect(await site.server.connectionCount() == 0)
        let lines = site.log.all.filter { $0.hasPrefix("No TLS") }
        #expect(lines == ["No TLS with 127.0.0.1: it was not complete in time."])
        withExtendedLifetime(silent) {}
    }

    @Test func `the certificate is that for the host, or else the first`() async throws {
        let site = try await TLSSite { settings, folder in
            guard let second = try? TestCertificate("b.example") else { return }
            settings.certificates.append(folder.write("b", second))
        }
        for (host, expected) in [("localhost", "localhost"), ("x.b.example", "b.example"), ("c.example", "localhost")] {
            let client = try await site.connect(.init(host: host))
            #expect(client.isFor(expected), "\(host)")
        }
        #expect(try await site.connect(.init(host: nil)).isFor("localhost"))
    }

    @Test func `clients must show a certificate where an authority is named`() async throws {
        let own = try TestCertificate("client")
        let site = try await TLSSite { settings, folder in
            settings.clientAuthority = folder.write("ca.pem", own.certificate)
        }
        let known = try await site.connect(.init(certificate: (own.certificate, own.key)))
        try await known.send(request)
        #expect(try await known.text(until: "true").contains(" 200 OK"))

        let stranger = try TestCertificate("client")
        for shown in [nil, (stranger.certificate, stranger.key)] {
            let client = try await site.client(.init(certificate: shown))
            _ = try await client.connect()
            #expect(try await client.read().bytes.isEmpty)
        }
        try await site.waits(
            for: "No TLS with 127.0.0.1: the client has shown no certificate, which TLS_CLIENT_CA asks for.")
        try await site.waits(for: "No TLS with 127.0.0.1: the client's certificate is not one of TLS_CLIENT_CA's.")
    }

    @Test func `an authority that another one has issued is enough`() async throws {
        let root = try TestCertificate("root", isAuthority: true)
        let authority = try TestCertificate("authority", isAuthority: true, issuer: root)
        let own = try TestCertificate("client", issuer: authority)
        let site = try await TLSSite { settings, folder in
            settings.clientAuthority = folder.write("ca.pem", authority.certificate)
        }
        let client = try await site.connect(.init(certificate: (own.certificate, own.key)))
        try await client.send(request)
        #expect(try await client.text(until: "true").contains(" 200 OK"))
    }

    /// OpenSSL does not look again at the certificate of a session, which may have expired.
    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `clients that must show a certificate show it each time`(version: Int32) async throws {
        let own = try TestCertificate("client")
        let site = try await TLSSite { settings, folder in
            settings.clientAuthority = folder.write("ca.pem", own.certificate)
        }
        let first = try await site.connect(.init(version: version, certificate: (own.certificate, own.key)))
        try await first.send(request)
        #expect(try await first.text(until: "true").contains(" 200 OK"))
        let again = try await site.connect(
            .init(version: version, session: first.session, certificate: (own.certificate, own.key)))
        #expect(!again.wasResumed)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a ticket is taken by instances with the same secret`(version: Int32) async throws {
        let sites = [
            try await TLSSite { settings, _ in settings.ticketSecret = "shared" },
            try await TLSSite { settings, _ in settings.ticketSecret = "shared" }, try await TLSSite(),
        ]
        let first = try await sites[0].connect(.init(version: version))
        try await first.send(request)
        _ = try await first.text(until: "true")
        let session = try #require(first.session)
        for (site, isTaken) in zip(sites, [true, true, false]) {
            let client = try await site.connect(.init(version: version, session: session))
            #expect(client.wasResumed == isTaken)
        }
    }
}

extension TLSSite {
    /// Waits until a line is in the log.
    func waits(for line: String) async throws {
        while !log.all.contains(line) {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
