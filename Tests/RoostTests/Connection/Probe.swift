import Logging
import RoostTesting

@testable import Roost

/// A small application that shows what the server does around a handler.
enum Probe {
    /// A client of an application with these routes, whose log is discarded.
    static func client(
        _ configuration: ServerConfiguration = ServerConfiguration(),
        _ declare: @escaping (Routes) -> Void = Probe.routes
    ) throws -> TestClient {
        TestClient(try application(configuration, declare))
    }

    static func application(
        _ configuration: ServerConfiguration = ServerConfiguration(),
        logger: Logger = Logger(label: "probe") { _ in SwiftLogNoOpLogHandler() },
        _ declare: @escaping (Routes) -> Void = Probe.routes
    ) throws -> Application {
        try Application(configuration: configuration, logger: logger, routes: declare)
    }

    /// `GET /` returns ok, `POST /` how many bytes arrived, `POST /stream` the same, counted as they arrive.
    static func routes(_ routes: Routes) {
        routes.get(Path("/")) { _ in "ok" }
        routes.post(Path("/")) { request in "\(try request.body.bytes.count)" }
        routes.on(.post)(Path("/stream"), body: .streamed) { request in
            var count = 0
            for try await chunk in request.body.chunks { count += chunk.count }
            return "\(count)"
        }
    }
}

extension Body {
    /// The chunks of a streamed body.
    var chunks: any Body.Stream {
        if case .stream(let stream) = storage { return stream.stream }
        let bytes = (try? bytes) ?? []
        return Once(bytes: bytes)
    }
}

/// One chunk, if there is any.
private struct Once: AsyncSequence, Sendable {
    let bytes: [UInt8]

    struct Iterator: AsyncIteratorProtocol {
        var bytes: [UInt8]?

        mutating func next() async throws -> [UInt8]? {
            defer { bytes = nil }
            return bytes?.isEmpty ?? true ? nil : bytes
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes) }
}
