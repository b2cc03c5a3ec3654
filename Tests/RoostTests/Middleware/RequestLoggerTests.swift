import CLibevent
import Glibc
import Logging
import RoostTesting
import Testing

@testable import Roost

@Suite("Other lines about a request", .timeLimit(.minutes(5)))
struct RequestLoggerTests {
    @Test(arguments: [LogFormat.json, .text])
    func `a handler's line has the request's ids, and in JSON that of an error, too`(format: LogFormat) async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        let writer = LogWriter(ends[1]) { timespec(tv_sec: 0, tv_nsec: 0) }
        let logger = Logger(label: "app") { RoostLogHandler(label: $0, format: format, writer: writer) }
        let client = try TestClient(middleware: [RequestIDs(), ErrorPages(logger: logger, explains: false)]) { routes in
            routes.get(Path("/own")) { request in
                logger.of(request).notice("mine")
                return request.traceContext.traceID
            }
            routes.get(Path("/boom")) { _ -> Response in throw Boom() }
        }
        let own = try await client.get("/own")
        let boom = try await client.get("/boom")
        writer.flush()
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(ends[0], &bytes, bytes.count)
        let lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n").map(String.init)
        let id = try #require(own.headers[.requestID]), other = try #require(boom.headers[.requestID])
        try #require(lines.count == 2, "\(lines)")
        switch format {
        case .json:
            let ids = #""metadata":{"request_id":"\#(id)","trace_id":"\#(own.text)"}}"#
            #expect(lines[0].hasSuffix(ids), "\(lines)")
            let others = #"Boom() \#(other)","metadata":{"request_id":"\#(other)","trace_id":""#
            #expect(lines[1].contains(others), "\(lines)")
        case .text:
            #expect(lines[0].hasSuffix("mine request_id=\(id) trace_id=\(own.text)"), "\(lines)")
            #expect(lines[1].hasSuffix("Boom() \(other)"), "\(lines)")
        }
    }

    private struct Boom: Error {}
}
