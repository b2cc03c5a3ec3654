import Glibc
import RoostTesting
import Testing

@testable import Roost
@testable import RoostTLS

@Suite("Certificates that are read again", .timeLimit(.minutes(5)))
struct TLSReloadTests {
    private func errors(_ site: TLSSite, _ start: String) -> Int {
        site.log.allWithLevels.count { $0.hasPrefix("error \(start)") }
    }

    @Test func `one that cannot be read keeps no other from being renewed`() async throws {
        let second = try TestCertificate("b.x.example")
        let site = try await TLSSite { settings, folder in settings.certificates.append(folder.write("b", second)) }
        unlink(site.folder.files("a").key)
        // It is for b.x.example, too.
        site.folder.write("b", try TestCertificate("x.example"))
        for _ in 0..<2 { site.tls.reloadIfChanged() }
        #expect(try await site.connect(.init(host: "b.x.example")).isFor("x.example"))
        #expect(try await site.connect().isFor("localhost"))
        #expect(errors(site, "An old certificate stays in use. TLS_KEY is \(site.folder.path)/a.key") == 1)
        #expect(site.log.all.count { $0 == "The certificates have been read again." } == 1)

        site.folder.write("a", try TestCertificate("new.example"))
        site.tls.reloadIfChanged()
        #expect(try await site.connect().isFor("new.example"))
        #expect(try await site.connect(.init(host: "b.x.example")).isFor("x.example"))
    }

    @Test func `a failure is told once a day, with the time that is left`() async throws {
        let short = try TestCertificate("localhost", days: 10)
        let site = try await TLSSite { _, folder in folder.write("a", short) }
        unlink(site.folder.files("a").key)
        for second in [0, 1, 86_399, 86_400, 86_401] { site.tls.reloadIfChanged(at: second) }
        #expect(errors(site, "The old certificates stay in use. TLS_KEY is ") == 2)
        // One of the start.
        #expect(site.log.all.count { $0.hasPrefix("A certificate expires in ") } == 3)
    }

    @Test func `an authority that cannot be read keeps no certificate, nor the reverse`() async throws {
        let (old, new) = (try TestCertificate("client"), try TestCertificate("client"))
        let site = try await TLSSite { settings, folder in
            settings.clientAuthority = folder.write("ca.pem", old.certificate)
        }
        site.folder.write("ca.pem", Array("none".utf8))
        site.folder.write("a", try TestCertificate("new.example"))
        site.tls.reloadIfChanged()
        let known = try await site.connect(.init(certificate: (old.certificate, old.key)))
        #expect(known.isFor("new.example"))
        try await known.send(request)
        #expect(try await known.text(until: "true").contains(" 200 OK"))
        #expect(errors(site, "The old authority of clients stays in use. TLS_CLIENT_CA: ") == 1)

        unlink(site.folder.files("a").key)
        site.folder.write("ca.pem", new.certificate)
        site.tls.reloadIfChanged()
        let next = try await site.connect(.init(certificate: (new.certificate, new.key)))
        #expect(next.isFor("new.example"))
        try await next.send(request)
        #expect(try await next.text(until: "true").contains(" 200 OK"))
    }
}
