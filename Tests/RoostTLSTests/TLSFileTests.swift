import COpenSSL
import Glibc
import HTTPTypes
import RoostTesting
import Testing

@testable import Roost
@testable import RoostTLS

@Suite("Certificates and settings of TLS", .timeLimit(.minutes(5)))
struct TLSFileTests {
    @Test func `new files are for new connections, and unusable ones leave the old in use`() async throws {
        let site = try await TLSSite()
        let before = try await site.connect()
        site.folder.write("a", try TestCertificate("new.example"))
        site.tls.reloadIfChanged()
        #expect(try await site.connect().isFor("new.example"))

        site.folder.write("a.pem", Array("-----BEGIN CERTIFICATE-----\nAAAA\n".utf8))
        site.tls.reloadIfChanged()
        #expect(try await site.connect().isFor("new.example"))
        let errors = site.log.allWithLevels.filter { $0.hasPrefix("error The old certificates stay in use.") }
        #expect(errors.count == 1 && errors[0].contains("TLS_CERTIFICATE"))

        try await before.send(request)
        #expect(try await before.text(until: "true").contains(" 200 OK"))
        #expect(before.isFor("localhost"))
    }

    @Test func `a new authority of clients is for new connections, too`() async throws {
        let (old, new) = (try TestCertificate("client"), try TestCertificate("client"))
        let site = try await TLSSite { settings, folder in
            settings.clientAuthority = folder.write("ca.pem", old.certificate)
        }
        for (shown, other) in [(old, new), (new, old)] {
            site.folder.write("ca.pem", shown.certificate)
            site.tls.reloadIfChanged()
            let known = try await site.connect(.init(certificate: (shown.certificate, shown.key)))
            try await known.send(request)
            #expect(try await known.text(until: "true").contains(" 200 OK"))
            let stranger = try await site.client(.init(certificate: (other.certificate, other.key)))
            _ = try await stranger.connect()
            #expect(try await stranger.read().bytes.isEmpty)
        }
    }

    @Test func `a file that could not be read is tried again, and told once`() async throws {
        let site = try await TLSSite()
        let files = site.folder.write("a", try TestCertificate("new.example"))
        // A file that nobody can open: not even the superuser, whom rights do not stop.
        rename(files.key, files.key + ".away")
        symlink(files.key, files.key)
        for _ in 0..<3 { site.tls.reloadIfChanged() }
        #expect(site.log.all.filter { $0.hasPrefix("The old certificates stay in use.") }.count == 1)
        #expect(try await site.connect().isFor("localhost"))
        unlink(files.key)
        rename(files.key + ".away", files.key)
        site.tls.reloadIfChanged()
        #expect(try await site.connect().isFor("new.example"))
        site.tls.reloadIfChanged()
        #expect(site.log.all.filter { $0 == "The certificates have been read again." }.count == 1)
    }

    /// As `chown` or `setfacl` do, after which the file can be read.
    @Test func `new rights of a file are a change`() async throws {
        let site = try await TLSSite()
        chmod("\(site.folder.path)/a.key", 0o640)
        site.tls.reloadIfChanged()
        #expect(site.log.all.contains("The certificates have been read again."))
    }

    @Test func `on SIGHUP files are read again`() async throws {
        let site = try await TLSSite(watches: true)
        kill(getpid(), SIGHUP)
        try await site.waits(for: "The certificates have been read again.")
    }

    @Test func `a certificate that expires soon is a warning`() async throws {
        let site = try await TLSSite { settings, folder in
            _ = (try? TestCertificate("localhost", days: 10)).map { folder.write("a", $0) }
        }
        _ = try await site.connect()
        #expect(site.log.allWithLevels.contains { $0.hasPrefix("warning A certificate expires in ") })
    }

    /// A start with these files gives a sentence, and nothing of the key.
    @Test func `a start without usable files says what to do`() async throws {
        let folder = try CertificateFolder()
        let certificate = try TestCertificate("localhost")
        let files = folder.write("a", certificate)
        let other = folder.write("b", try TestCertificate("localhost"))
        func sentence(_ certificate: String, _ key: String) -> String {
            do throws(StartError) {
                _ = try CertificatePair(CertificateFiles(certificate: certificate, key: key))
                return "none"
            } catch {
                #expect(error.exitCode == EX_CONFIG)
                return error.description
            }
        }
        #expect(sentence(files.certificate, files.key) == "none")
        #expect(sentence("/nowhere", files.key).contains("TLS_CERTIFICATE is /nowhere: No such file or directory"))
        #expect(sentence(files.certificate, "/nowhere").contains("TLS_KEY is /nowhere"))
        #expect(sentence(files.certificate, other.key).contains("is not the key of"))
        let wrongOrder = folder.write("file", try TestCertificate("ca").certificate + certificate.certificate)
        #expect(sentence(wrongOrder, files.key).contains("must be the first, and its chain behind it."))
        #expect(sentence(wrongOrder, other.key).contains("is not the key of"))
        #expect(sentence(files.key, files.key).contains("has no certificate in PEM"))
        #expect(sentence(files.certificate, files.certificate).contains("has no private key in PEM"))
        folder.write("b.key", TestCertificate.encrypted(certificate.key))
        #expect(sentence(files.certificate, other.key).contains("is encrypted"))
    }

    @Test func `a good certificate is read although an error of before is left on the thread`() throws {
        let good = try TestCertificate("localhost").certificate
        // As another library may leave it: nothing clears the error.
        let damaged = Array("-----BEGIN CERTIFICATE-----\nAAAA\n".utf8)
        let nothing = PEMFile.withBIO(damaged) { PEM_read_bio_X509($0, nil, nil, nil) }
        #expect(nothing == nil)
        try #require(ERR_peek_error() != 0 && error_is_end_of_pem(ERR_peek_error()) == 0)
        let certificates = try PEMFile.certificates(good, "TLS_CERTIFICATE", "a.pem")
        #expect(certificates.count == 1)
        for certificate in certificates { X509_free(certificate) }
    }

    @Test(arguments: [
        (["TLS_PORT": "x"], "TLS_PORT"), (["TLS_PORT": "443"], "TLS_CERTIFICATE and TLS_KEY"),
        (["TLS_PORT": "443", "TLS_CERTIFICATE": "a,b", "TLS_KEY": "a"], "as many of one"),
        (["PLAIN_HTTP": "no"], "redirect or site"),
    ])
    func `settings that do not fit stop the start`(variables: [String: String], part: String) throws {
        let error = #expect(throws: StartError.self) { try TLS(environment: variables) }
        #expect(error?.description.contains(part) ?? false)
    }

    @Test func `without a port there is no TLS`() async throws {
        let tls = try TLS(environment: [:])
        try await tls.start()
        #expect(tls.port == nil)
        await tls.stop()
    }

    @Test(arguments: [
        ("localhost", nil, "https://localhost:8443/a?b=c"), ("[::1]:3000", nil, "https://[::1]:8443/a?b=c"),
        ("example.com:80", nil, "https://example.com:8443/a?b=c"),
        ("example.com", "https://www.example.com", "https://www.example.com/a?b=c"),
    ])
    func `requests without TLS are sent on, except health checks`(
        host: String, publicURL: String?, expected: String
    ) async throws {
        var settings = TLSSettings()
        settings.port = 0
        settings.plain = .redirect
        settings.publicURL = try publicURL.map { try PublicURL($0) }
        let tls = try TLS(settings)
        tls.listens(at: 8443)
        let client = TestClient(try Application(services: [StandIn(tls)]) { TLSSite.usual($0) }, host: host)
        let response = try await client.request(.get, "/a?b=c")
        #expect(response.status == .permanentRedirect)
        #expect(response.headers[.location] == expected)
        #expect(try await client.request(.get, "/health/live").status == .ok)
        #expect(try await client.request(.get, "/.well-known/acme-challenge/x").status == .notFound)
    }

    /// Sends a head without TLS to a site that sends requests on.
    private static func response(to head: String, publicURL: String? = nil) async throws -> WireClient.Response {
        var settings = TLSSettings()
        settings.port = 0
        settings.plain = .redirect
        settings.publicURL = try publicURL.map { try PublicURL($0) }
        let tls = try TLS(settings)
        tls.listens(at: 443)
        let client = TestClient(try Application(services: [StandIn(tls)]) { TLSSite.usual($0) })
        let connection = try await client.connect()
        try await connection.send(head + "\r\n\r\n")
        return try await connection.readResponse()
    }

    @Test func `a target in absolute form keeps its path and query`() async throws {
        for (end, place) in [("/pay?id=7", "/pay?id=7"), (":80/a:b", "/a:b"), ("?x=1", "/?x=1"), ("", "/")] {
            let head = "GET http://example.com\(end) HTTP/1.1\r\nHost: example.com"
            let response = try await Self.response(to: head)
            #expect(response.status == .permanentRedirect)
            #expect(response.headers[.location] == "https://example.com" + place)
        }
    }

    @Test func `without a host, a request is sent on to the site's URL or refused`() async throws {
        let url = "https://www.example.com"
        let known = try await Self.response(to: "GET /a HTTP/1.0", publicURL: url)
        #expect(known.headers[.location] == url + "/a")
        let refused = try await Self.response(to: "GET /a HTTP/1.0")
        #expect(refused.status == .badRequest)
        #expect(refused.text.contains("at a host that the request must name"))
    }

    @Test(arguments: [
        ("shop.example", HTTPResponse.Status.permanentRedirect), ("evil.example", .misdirectedRequest),
        ("shop.example.evil.example", .misdirectedRequest),
    ])
    func `nobody is sent to a host that is not the site's`(host: String, status: HTTPResponse.Status) async throws {
        var settings = TLSSettings()
        settings.port = 0
        settings.plain = .redirect
        settings.allowedHosts = ["shop.example"]
        let tls = try TLS(settings)
        tls.listens(at: 443)
        let client = TestClient(try Application(services: [StandIn(tls)]) { TLSSite.usual($0) }, host: host)
        let result = try? await client.request(.get, "/").status
        #expect(result ?? .misdirectedRequest == status)
    }

    @Test(arguments: [
        ("www.example.com:80", "https://www.example.com/a"), ("shop.example:80", "https://www.example.com/a"),
        ("localhost:3000", "https://www.example.com/a"), ("evil.example", nil),
    ])
    func `every listed host is sent on to the site's URL, and others nowhere`(
        host: String, expected: String?
    ) async throws {
        var settings = TLSSettings()
        settings.port = 0
        settings.plain = .redirect
        settings.publicURL = try PublicURL("https://www.example.com")
        settings.allowedHosts = ["shop.example"]
        let tls = try TLS(settings)
        tls.listens(at: 443)
        let client = TestClient(try Application(services: [StandIn(tls)]) { TLSSite.usual($0) }, host: host)
        let response = try? await client.request(.get, "/a")
        #expect(response?.headers[.location] == expected)
    }

    @Test func `before there is a certificate, nobody is sent on`() async throws {
        var settings = TLSSettings()
        settings.port = 0
        settings.plain = .redirect
        settings.automatic = ACMESettings(hosts: ["a.test"])
        let tls = try TLS(settings)
        let client = TestClient(try Application(services: [StandIn(tls)]) { TLSSite.usual($0) }, host: "a.test")
        let response = try await client.request(.get, "/")
        #expect(response.status == .serviceUnavailable)
        #expect(response.headers[.retryAfter] == "5")
        #expect(try await client.request(.get, "/health/live").status == .ok)
    }

    @Test(arguments: [
        (["TLS": "auto"], "set HOST_NAMES"), (["TLS": "auto", "HOST_NAMES": "*.a.test"], "list the names one by one"),
        (["TLS": "auto", "HOST_NAMES": "1.2.3.4"], "for names, not for addresses"),
        (["TLS": "auto", "HOST_NAMES": "a.test", "TLS_CERTIFICATE": "a", "TLS_KEY": "b"], "set TLS=files"),
        (["TLS": "auto", "HOST_NAMES": "a.test", "TLS_PORT": "none"], "needs a port"),
        (["TLS": "auto", "HOST_NAMES": "a.test", "ACME_DIRECTORY": "x"], "staging"),
        (["TLS": "on"], "auto, files or off"),
        (["TLS": "auto", "HOST_NAMES": "a.test", "ACME_CA": "/nowhere"], "ACME_CA is /nowhere"),
    ])
    func `a start without what TLS=auto needs says so`(variables: [String: String], part: String) {
        let error = #expect(throws: StartError.self) { try TLS(environment: variables) }
        #expect(error?.description.contains(part) ?? false, "\(error)")
    }

    @Test func `TLS=auto has the defaults of a program on the internet`() throws {
        let variables = ["TLS": "auto", "HOST_NAMES": "A.test,b.test"]
        var reader = SettingsReader(variables)
        let settings = TLSSettings(reading: &reader)
        let server = ServerConfiguration(reading: &reader)
        #expect(settings.port == 443 && settings.automatic?.hosts == ["a.test", "b.test"])
        #expect(settings.siteURL == (try PublicURL("https://a.test")))
        #expect(["::", "0.0.0.0"].contains(server.host) && server.port == 80)
        #expect(try Environment(variables) == .production)
        #expect(try ServerConfiguration(environment: variables.merging(["PORT": "81"]) { $1 }).port == 81)
        #expect(try Environment(["TLS": "files"]) == .development)
        var off = SettingsReader(["TLS": "off", "TLS_PORT": "443"])
        #expect(TLSSettings(reading: &off).port == nil)
    }

    /// TLS that reads no certificates.
    private struct StandIn: SecurePort {
        let tls: TLS
        init(_ tls: TLS) { self.tls = tls }
        var port: Int? { nil }
        func start() async throws {}
        func stop() async {}
        func transports(on loop: EventLoop) -> (Int32) -> (any Transport)? { { _ in nil } }
        func makeHTTP2() -> (any ProtocolUpgrade)? { nil }
        func listens(at port: Int) {}
        func guarding(_ responder: any Responder) -> any Responder { tls.guarding(responder) }
    }

    @Test func `keys of tickets change twice a day, and the last ones are still taken`() {
        let period = TicketKeys.lifetime
        let one = TicketKeys(secret: "secret") { 10 * period }
        #expect(one.name(10) == TicketKeys(secret: "secret") { 0 }.name(10))
        // As OpenSSL's HMAC has it: instances of other versions take the same tickets.
        #expect(Hexadecimal.text(one.name(10)) == "8b93cc6bf028e23179c0920a1c0c730b")
        #expect(one.name(10) != one.name(11))
        #expect(one.name(10) != TicketKeys(secret: "other") { 0 }.name(10))
        #expect(one.name(10) != TicketKeys(secret: nil) { 0 }.name(10))
        #expect([8, 9, 10, 11, 12].map { one.period(of: one.name($0)) } == [nil, 9, 10, 11, nil])
    }
}
