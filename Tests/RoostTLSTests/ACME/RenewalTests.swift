import Glibc
import RoostHTTPClient
import RoostTesting
import Synchronization
import Testing

@testable import Roost
@testable import RoostTLS

/// A program with certificates that it orders, whatever the authority and the storage do.
@Suite("Certificates that renew themselves", .timeLimit(.minutes(5)))
final class RenewalTests {
    let authority = FakeAuthority()
    let storage = MemoryCertificateStorage()
    let log = LogLines(.info)
    let clock = MovingClock()

    func certificates(_ hosts: [String] = ["a.test"]) -> AutomaticCertificates {
        var settings = ACMESettings(hosts: hosts)
        settings.directory = FakeAuthority.url + "/dir"
        return AutomaticCertificates(
            settings, storage, store: CertificateStore(protocols: [], tickets: TicketKeys(secret: nil)),
            http: authority.client, logger: log.logger, now: { [clock] in clock.now.withLock { $0 } })
    }

    func pass(_ seconds: Int) { clock.now.withLock { $0 += seconds } }
    var orders: Int { authority.state.withLock { $0.orders } }
    var issued: Int { authority.state.withLock { $0.issued } }

    @Test func `one is ordered, stored and used`() async throws {
        let certificates = certificates()
        _ = await certificates.step()
        #expect(issued == 1)
        #expect(storage.read(certificates.certificateName) == certificates.state.withLock { $0.text })
        #expect(try await certificates.status().issuer == "/CN=A test's authority")
        pass(55 * 86_400)
        _ = await certificates.step()
        #expect(issued == 1)
        pass(6 * 86_400)
        _ = await certificates.step()
        #expect(issued == 2)
    }

    @Test(arguments: ["", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func `a stored one that cannot be used is told once, and another is ordered`(text: String) async throws {
        let certificates = certificates()
        try await storage.write(Array(text.utf8), as: certificates.certificateName)
        _ = await certificates.step()
        #expect(issued == 1)
        #expect(log.all.count { $0.hasPrefix("The stored certificate cannot be used: ") } == 1)
        #expect(certificates.state.withLock { $0.facts } != nil)

        // While another one is in use, it stays.
        try await storage.write(Array(text.utf8), as: certificates.certificateName)
        _ = await certificates.step()
        _ = await certificates.step()
        #expect(issued == 1)
        #expect(log.all.count { $0.hasPrefix("The stored certificate cannot be used: ") } == 2)
    }

    @Test func `one for other names does not take the place of a good one`() async throws {
        let (mine, others) = (certificates(["a.test"]), certificates(["b.test"]))
        for _ in 0..<3 {
            _ = await mine.step()
            _ = await others.step()
            pass(60)
        }
        #expect(issued == 2)
        #expect(mine.hasWhole && others.hasWhole)
    }

    @Test(arguments: ["unauthorized", "alreadyReplaced", "malformed", "conflict"])
    func `an order that may not follow another is an order like any other`(kind: String) async throws {
        let certificates = certificates()
        _ = await certificates.step()
        authority.state.withLock { $0.refusalOfFollowers = kind }
        pass(61 * 86_400)
        _ = await certificates.step()
        #expect(issued == 2)
    }

    @Test(arguments: ["0", "Thu, 01 Jan 1970 00:02:00 GMT", nil])
    func `questions have pauses, whatever the authority wants`(retryAfter: String?) async throws {
        let pauses = Mutex<[Duration]>([])
        authority.state.withLock { ($0.lookingInto, $0.retryAfter) = (6, retryAfter) }
        let client = ACMEClient(
            authority.client, directory: FakeAuthority.url + "/dir", key: AccountKey(key: try P256Key()),
            account: FakeAuthority.url + "/a/1", now: { 1000 })
        let order = CertificateOrder(
            client: client, hosts: ["a.test"], method: .http, proofs: Proofs(storage, nil, prefix: "x"), now: { 1000 },
            sleep: { pause in pauses.withLock { $0.append(pause) } })
        _ = try await order.run()
        #expect(pauses.withLock { $0 } == [250, 500, 1000, 2000, 4000].map { .milliseconds($0) })
    }

    @Test func `an order that was left before its download is taken up at the next start`() async throws {
        authority.state.withLock { $0.hasDownloads = false }
        _ = await certificates().step()
        #expect(issued == 1)
        authority.state.withLock { $0.hasDownloads = true }
        let restarted = certificates()
        #expect(storage.read(restarted.orderName) != nil)
        _ = await restarted.step()
        #expect(orders == 1 && issued == 1)
        #expect(restarted.hasWhole)
        #expect(storage.read(restarted.orderName) == nil)
    }

    @Test(arguments: ["https://ca.test/o/1", "https://ca.test/o/gone"])
    func `an order that the authority has given up is followed by another`(url: String) async throws {
        authority.state.withLock { ($0.hasDownloads, $0.otherStatus) = (false, "invalid") }
        let left = UnfinishedOrder(
            url: url, hosts: ["a.test"], key: String(decoding: try P256Key().pem, as: UTF8.self), begun: 1000)
        let certificates = certificates()
        try await storage.write(try JSONCoder().encode(left), as: certificates.orderName)
        _ = await certificates.step()
        #expect(orders == 1 && issued == 0)
        authority.state.withLock { ($0.hasDownloads, $0.otherStatus) = (true, nil) }
        pass(70)
        _ = await certificates.step()
        #expect(issued == 1)
    }

    @Test(arguments: [(["a.test"], -86_400), (["b.test"], 0)])
    func `an order that is old, or for other names, keeps none from being ordered`(
        hosts: [String], age: Int
    ) async throws {
        authority.state.withLock { $0.otherStatus = "processing" }
        let certificates = certificates()
        let left = UnfinishedOrder(
            url: "https://ca.test/o/1", hosts: hosts, key: String(decoding: try P256Key().pem, as: UTF8.self),
            begun: certificates.now() + age)
        try await storage.write(try JSONCoder().encode(left), as: certificates.orderName)
        authority.state.withLock { $0.otherStatus = nil }
        _ = await certificates.step()
        #expect(issued == 1 && certificates.hasWhole)
        #expect(storage.read(certificates.orderName) == nil)
    }

    @Test(arguments: [500, 502, 503, 504, 429])
    func `a failure that passes loses no order`(status: Int) throws {
        #expect(ACMEProblem(HTTPClient.Response(.init(code: status), body: Body("<h1>Later</h1>")), now: 0).mayPass)
        #expect(!ACMEProblem(HTTPClient.Response(.notFound), now: 0).mayPass)
    }

    @Test(arguments: ["b.test", "a.test,dirName:x", "a.test,IP:127.0.0.1"])
    func `a permission for a name that was not ordered is refused`(name: String) async throws {
        authority.state.withLock { ($0.otherName, $0.lookingInto) = (name, 3) }
        let certificates = certificates()
        for method in ChallengeMethod.allCases {
            await #expect(throws: ACMEProblem.self) { try await certificates.order(method) }
        }
        #expect(issued == 0)
    }

    @Test func `a name is only ever the name of a host in a request`() throws {
        let der = try CertificateRequest.der(for: ["a.test,dirName:x", "b.test"], try P256Key())
        #expect(der.firstRange(of: "a.test,dirName:x".utf8) != nil)
    }

    @Test func `a stop does not lose what has been issued`() async throws {
        let certificates = certificates()
        let made = try TestCertificate("a.test")
        let text = made.key + made.certificate
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await certificates.keep(text)
        }
        _ = try? await task.value
        #expect(storage.read(certificates.certificateName) != nil)

        let proofs = Proofs(storage, nil, prefix: "x")
        try await proofs.show(Challenge(host: "a.test", token: "t", authorization: "t.x", method: .http))
        #expect(storage.read("x-challenge-t") != nil)
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await proofs.hide("t")
        }.value
        #expect(storage.read("x-challenge-t") == nil)
    }

    @Test func `files belong to the owner of their folder, whoever writes them`() async throws {
        let folder = AccountFolder()
        let storage = FolderCertificateStorage(folder.path)
        try await storage.open()
        if geteuid() == 0 { chown(folder.path, 65_534, 65_534) }
        try await storage.write([1], as: "a")
        _ = try await storage.alone {}
        var (whole, part) = (Glibc.stat(), Glibc.stat())
        #expect(stat(folder.path, &whole) == 0)
        for name in ["a", "lock"] { #expect(stat("\(folder.path)/\(name)", &part) == 0 && part.st_uid == whole.st_uid) }
    }

    @Test func `the lock of a folder is free afterwards, even while a child process has its file`() async throws {
        let folder = AccountFolder()
        let storage = FolderCertificateStorage(folder.path)
        try await storage.open()
        // As a process has it that is being started, until it runs another program.
        let copy = try await storage.alone {
            (0..<1 << 20 as Range<Int32>).first { Self.path(of: $0) == "\(folder.path)/lock" }.map { dup($0) }
        }
        let child = try #require(copy.flatMap { $0 })
        #expect(try await storage.alone { true } == true)
        close(child)
    }

    @Test func `a file in the place of the folder is called that`() async throws {
        let folder = try CertificateFolder()
        let storage = FolderCertificateStorage(folder.write("file", []))
        let error = await #expect(throws: StartError.self) { try await storage.open() }
        #expect(error?.description.contains("(Not a directory)") == true, "\(error?.description ?? "")")
    }

    private static func path(of descriptor: Int32) -> String {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/fd/\(descriptor)", &path, path.count)
        return String(decoding: path.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    @Test func `an account with a key that cannot be read is made anew`() async throws {
        let certificates = certificates()
        let text = #"{"key":"nothing","url":"https://ca.test/a/9"}"#
        try await storage.write(Array(text.utf8), as: certificates.accountName)
        _ = await certificates.step()
        #expect(issued == 1)
        let stored = String(decoding: try #require(storage.read(certificates.accountName)), as: UTF8.self)
        #expect(stored.contains("PRIVATE KEY") && stored.contains("ca.test/a/1"))
        #expect(!stored.contains("ca.test/a/9"))
    }
}
