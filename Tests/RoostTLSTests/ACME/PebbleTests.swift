import Engines
import Glibc
import Processes
import RoostSQL
import RoostTesting
import Synchronization
import Testing

@testable import Roost
@testable import RoostTLS

@Suite(
    "Certificates from an authority",
    .enabled(if: Pebble.isInstalled, "pebble is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5))
)
struct PebbleTests {
    @Test func `an empty folder becomes a site on HTTPS, and stays one after a restart`() async throws {
        let pebble = try await Pebble()
        let folder = AccountFolder()
        let hosts = ["example.test", "www.example.test"]
        for isFirst in [true, false] {
            let log = LogLines(.info)
            let site = try await Self.site(pebble, pebble.settings(hosts, folder: folder.path), log)
            while !log.all.contains(where: { $0.hasPrefix("The certificate for example.test, www.example.test is") }) {
                try await Task.yieldOnce()
            }
            let client = TLSClient(try Self.connect(pebble.securePort), .init(host: "example.test"))
            #expect(try await client.connect())
            #expect(client.isFor("www.example.test"))
            #expect(log.all.contains { $0.contains("is being ordered") } == isFirst)
            try await site.stop()
            for port in [pebble.plainPort, pebble.securePort] { try await Self.waitForEnd(of: port) }
        }
        #expect(folder.names.count == 3 && folder.names.contains("lock"))
        for name in folder.names { #expect(folder.mode(name) == 0o600, "\(name)") }
        #expect(folder.mode("") == 0o700)
        try await pebble.stop()
    }

    @Test func `if one proof fails, the next try is with the other`() async throws {
        let pebble = try await Pebble()
        let folder = AccountFolder()
        let log = LogLines(.info)
        // Nothing is at the plain port of the authority.
        let site = try await Self.site(
            pebble, pebble.settings(["a.test"], folder: folder.path), log, plainPort: 0, watches: false)
        let time = Mutex(time(nil))
        let certificates = AutomaticCertificates(
            pebble.settings(["a.test"]), FolderCertificateStorage(folder.path), store: site.tls.store,
            logger: log.logger, now: { time.withLock { $0 } })

        let early = TLSClient(try Self.connect(pebble.securePort), .init(host: "a.test"))
        #expect(try await !early.connect())
        while !log.all.contains("No TLS with 127.0.0.1: there is no certificate yet.") { try await turn() }

        _ = await certificates.step()
        let errors = log.allWithLevels.filter { $0.hasPrefix("error No certificate for a.test: ") }
        #expect(errors.count == 1)
        #expect(errors.first?.contains("the authority could not reach this server") ?? false, "\(errors)")
        #expect(errors.first?.hasSuffix("The next try is in a minute.") ?? false)
        // Before its time, nothing happens.
        _ = await certificates.step()
        #expect(folder.names.contains { $0.hasSuffix("-tries.json") })

        time.withLock { $0 += 70 }
        _ = await certificates.step()
        let client = TLSClient(try Self.connect(pebble.securePort), .init(host: "a.test"))
        try #require(try await client.connect(), "\(log.all)")
        #expect(client.isFor("a.test"))
        #expect(!folder.names.contains { $0.hasSuffix("-tries.json") || $0.contains("challenge") })
        try await site.stop()
        try await pebble.stop()
    }

    @Test func `a wrong answer is reported in plain words`() async throws {
        let pebble = try await Pebble()
        let folder = AccountFolder()
        let application = try Application { routes in
            routes.get(Path("/.well-known/acme-challenge/{token}", String.self)) { _, _ in "somebody else" }
        }
        let other = try await LiveSite(application, port: pebble.plainPort)
        let certificates = AutomaticCertificates(
            pebble.settings(["b.test"]), FolderCertificateStorage(folder.path), store: nil,
            logger: LogLines().logger)
        let error = await #expect(throws: StartError.self) { try await certificates.renew() }
        #expect(error?.description.contains("b.test: another server has answered the authority") ?? false, "\(error)")
        try await other.stop()
        try await pebble.stop()
    }

    @Test(arguments: Engine.allCases)
    func `instances share a certificate, and each answers for the others`(engine: Engine) async throws {
        let pebble = try await Pebble()
        try await engine.run(instances: 2) { databases in
            let storages = databases.map { SQLCertificateStorage($0) }
            try await Migrator(databases[0], SQLCertificateStorage.migrations, logger: LogLines().logger).run()
            let stores = storages.map { _ in CertificateStore(protocols: ["http/1.1"], tickets: TicketKeys(secret: nil))
            }
            let instances = zip(storages, stores).map {
                AutomaticCertificates(pebble.settings(["c.test"]), $0, store: $1, logger: LogLines().logger)
            }
            // The second one listens; the first one orders.
            let application = try Application(middleware: []) { _ in }
            let site = try await LiveSite(
                ChallengeResponder(application.responder, instances[1].proofs), port: pebble.plainPort)
            let isAlone: Void? = try await storages[1].alone {
                let pause = await instances[0].step()
                #expect(pause == .seconds(2))
            }
            #expect(isAlone != nil && stores[0].isEmpty)
            _ = await instances[0].step()
            #expect(!stores[0].isEmpty)
            #expect(stores[1].isEmpty)
            _ = await instances[1].step()
            #expect(!stores[1].isEmpty)
            #expect(try await instances[0].status().renewed == instances[1].status().renewed)
            try await site.stop()
        }
        try await pebble.stop()
    }

    // MARK: Sites

    private static func site(
        _ pebble: Pebble, _ acme: ACMESettings, _ log: LogLines, plainPort: Int? = nil, watches: Bool = true
    ) async throws -> LiveSite {
        var settings = TLSSettings()
        settings.port = pebble.securePort
        settings.automatic = acme
        let tls = try TLS(settings, logger: log.logger, watches: watches)
        let application = try Application(logger: log.logger, services: [tls], routes: TLSSite.usual)
        return try await LiveSite(application, port: plainPort ?? pebble.plainPort, tls: tls, log)
    }

    private static func connect(_ port: Int) throws -> Int32 {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(socket)
            throw CancellationError()
        }
        return socket
    }

    /// Waits until nothing listens at a port: a process that another test starts may have a copy of the socket.
    private static func waitForEnd(of port: Int) async throws {
        while let socket = try? connect(port) {
            close(socket)
            try await Task.yieldOnce()
        }
    }
}

/// A server that listens at certain ports of this machine.
struct LiveSite: Sendable {
    let tls: TLS
    private let server: Server
    private let running: Task<Void, any Error>

    init(_ responder: any Responder, port: Int, tls: TLS? = nil, _ log: LogLines = LogLines()) async throws {
        var configuration = ServerConfiguration()
        configuration.port = port
        configuration.workers = 1
        configuration.headTimeout = .seconds(3600)  // a busy machine may take its time between connecting and sending
        self.tls = try tls ?? TLS(TLSSettings())
        let application = responder as? Application
        let server = try await Server.listen(
            configuration, application?.responder ?? responder, services: application?.services ?? [],
            logger: log.logger)
        self.server = server
        running = Task { try await server.run() }
    }

    func stop() async throws {
        server.shutdown()
        try await running.value
    }
}
