import RoostTesting

@testable import Roost
@testable import RoostTLS

/// A site in this process that speaks TLS, and clients of it.
final class TLSSite: Sendable {
    let server: InProcessServer
    let tls: TLS
    let folder: CertificateFolder
    let log = LogLines(.debug)

    init(
        _ change: (inout TLSSettings, CertificateFolder) -> Void = { _, _ in }, watches: Bool = false,
        metrics: PrometheusMetrics? = nil,
        routes: (Routes) throws -> Void = TLSSite.usual
    ) async throws {
        folder = try CertificateFolder()
        var settings = TLSSettings()
        settings.port = 0
        settings.certificates = [folder.write("a", try TestCertificate("localhost"))]
        change(&settings, folder)
        tls = try TLS(settings, logger: log.logger, watches: watches)
        let application = try Application(logger: log.logger, services: [tls], routes: routes)
        server = try await InProcessServer(
            application.configuration, application.responder, services: application.services, metrics: metrics,
            logger: log.logger)
    }

    static func usual(_ routes: Routes) {
        routes.get(Path("/")) { request in "\(request.scheme) \(request.isHTTPS)" }
        routes.post(Path("/length")) { request in "\(try await request.body.collect(upTo: 1 << 20).count ?? 0) bytes" }
    }

    /// A client that has not begun.
    func client(_ options: TLSClient.Options = TLSClient.Options()) async throws -> TLSClient {
        TLSClient(try await server.connect(from: .loopback, through: tls), options)
    }

    /// A client that has shaken hands.
    func connect(_ options: TLSClient.Options = TLSClient.Options()) async throws -> TLSClient {
        let client = try await client(options)
        guard try await client.connect() else { throw CancellationError() }
        return client
    }
}

let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
