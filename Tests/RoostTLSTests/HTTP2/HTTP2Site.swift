import Glibc
import Logging
import Roost
import RoostTLS
import RoostTesting

/// A small application that shows what the server does with each stream.
enum HTTP2Site {
    static func server(
        _ configuration: ServerConfiguration = ServerConfiguration(), latch: Latch = Latch(), entered: Latch = Latch(),
        left: Latch = Latch(), cancelled: Latch = Latch(),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, metrics: PrometheusMetrics? = nil
    ) async throws -> InProcessServer {
        let application = try Application(
            configuration: configuration, logger: logger,
            services: [try TLS(TLSSettings())], middleware: []
        ) { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/fields")) { request in
                request.headers.list.map { "\($0.name): \($0.value)\n" }.joined()
            }
            routes.get(Path("/path")) { request in
                "\(request.authority) \(request.path) \(request.queryString ?? "-") \(request.target)"
            }
            routes.get(Path("/large")) { _ in Response.text(String(repeating: "a", count: 300_000)) }
            routes.get(Path("/wrong")) { _ in Response(headers: [.location: "a\r\nb: c"]) }
            routes.get(Path("/long")) { _ in Response(headers: [.location: String(repeating: "a", count: 70_000)]) }
            routes.get(Path("/long/text")) { _ in
                Response(headers: [.location: String(repeating: "a", count: 70_000)], body: "text")
            }
            routes.get(Path("/interim")) { _ in Response(.`continue`) }
            routes.get(Path("/fails")) { _ -> String in throw HTTPError(.conflict, "No.") }
            routes.get(Path("/connection")) { _ in
                var response = Response(headers: [.connection: "close"], body: "ok")
                response.headers["Keep-Alive"] = "a"
                response.headers["X-Mixed"] = "B"
                return response
            }
            routes.get(Path("/blanks")) { _ in
                var response = Response(body: "ok")
                response.headers["X-Text"] = "\t a b \t"
                response.headers["X-Nothing"] = "  "
                return response
            }
            routes.get(Path("/pieces")) { _ in
                Response(body: Body(stream: Pieces(count: 5)))
            }
            routes.get(Path("/short")) { _ in Response(body: Body(stream: Pieces(count: 5), length: 100_000)) }
            routes.get(Path("/broken")) { _ in Response(body: Body(stream: Pieces(count: 5, fails: true))) }
            routes.get(Path("/shrinks")) { _ in
                let folder = try CertificateFolder()
                folder.write("file", [UInt8](repeating: 1, count: 50_000))
                let response = try Response.file("\(folder.path)/file")
                truncate("\(folder.path)/file", 20_000)
                return response
            }
            routes.get(Path("/waits")) { _ in
                entered.open()
                defer { left.open() }
                await latch.wait()
                return "waited"
            }
            routes.get(Path("/stays")) { _ in
                // It is not cancelled.
                await Task { await latch.wait() }.value
                return "stayed"
            }
            routes.get(Path("/sleeps")) { _ in
                entered.open()
                defer { cancelled.open() }
                try await EventLoop.current?.sleep(for: .seconds(3600))
                return "nobody reads this"
            }
            routes.post(Path("/count")) { request in "\(try request.body.bytes.count)" }
            routes.on(.post)(Path("/sum"), body: .streamed) { request in
                var sum = 0
                for try await chunk in request.body { sum += chunk.count }
                return "\(sum)"
            }
            routes.on(.post)(Path("/ignores"), body: .streamed) { _ in
                entered.open()
                await latch.wait()
                return "ignored"
            }
            routes.on(.post)(Path("/echo"), body: .streamed) { request in Response(body: request.body) }
            routes.webSocket(Path("/chat"), WebSocketOptions(subprotocols: ["a"], origins: .any)) { socket, request in
                entered.open()
                for try await message in socket { try await socket.send(message) }
                cancelled.open()
            }
            routes.get(Path("/wrong-chat")) { request in
                var response = try Response.webSocket(to: request, WebSocketOptions(origins: .any)) { _ in }
                response.headers[.location] = "a\r\nb: c"
                return response
            }
            routes.webSocket(Path("/own")) { _, _ in }
            routes.webSocket(Path("/deaf"), WebSocketOptions(origins: .any)) { _, _ in
                entered.open()
                await latch.wait()
            }
            routes.get(Path("/events")) { _ in
                Response.events { events in
                    try await events.send(ServerSentEvent("first"))
                    entered.open()
                    await latch.wait()
                    try await events.send(ServerSentEvent("second"))
                }
            }
        }
        return try await InProcessServer(
            configuration, application, services: application.services, metrics: metrics, logger: application.logger)
    }
}

private struct Failed: Error {}

/// A stream of numbers.
struct Pieces: AsyncSequence, AsyncIteratorProtocol, Sendable {
    var count: Int
    var fails = false

    func makeAsyncIterator() -> Pieces { self }

    mutating func next() async throws(any Error) -> [UInt8]? {
        count -= 1
        if count == 1, fails { throw Failed() }
        return count < 0 ? nil : Array("\(count)".utf8)
    }
}
