import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

/// W3C Trace Context, §3.
@Suite("Trace context", .timeLimit(.minutes(5)))
struct TraceContextTests {
    private static let given = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    private static let rest = String(given.dropFirst(2))

    private func read(_ text: String) -> TraceContext? {
        var text = text
        return text.withUTF8 { TraceContext($0) }
    }

    @Test func `a valid field is read and written the same`() throws {
        let context = try #require(read(Self.given))
        #expect(context.traceparent == Self.given)
        #expect(context.traceID == "0af7651916cd43dd8448eb211c80319c")
        #expect(context.spanID == "b7ad6b7169203331")
        #expect(context.isSampled)
        #expect(read(Self.given.dropLast() + "0")?.isSampled == false)
    }

    @Test(arguments: [
        "", "00", "\(given)-", "\(given)-00", "ff\(rest)", "0\(given)", "0g\(rest)",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0x",
        "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331.01", "01\(rest)x", " 0\(rest)",
    ])
    func `anything else says nothing`(text: String) { #expect(read(text) == nil) }

    @Test(arguments: ["cc\(rest)", "01\(rest)-what-the-future-will-be-like"])
    func `a later version is read as far as it is known`(text: String) {
        #expect(read(text)?.traceparent == Self.given)
    }

    private func app() throws -> Application {
        var configuration = ServerConfiguration()
        configuration.trustedProxies = try #require(TrustedProxies("loopback"))
        return try Application(configuration: configuration) { routes in
            routes.get(Path("/trace")) { request in
                let context = request.traceContext
                let state = context.headers[.tracestate] ?? ""
                return "\(context.traceparent) \(state) \(context == request.traceContext)"
            }
        }
    }

    @Test(.quietLog) func `a trusted proxy's trace goes on, with a span of our own`() async throws {
        let client = TestClient(try app())
        let text = try await client.get("/trace", headers: [.traceparent: Self.given, .tracestate: "a=1,b=2"]).text
        #expect(text.hasPrefix("00-0af7651916cd43dd8448eb211c80319c-"))
        #expect(!text.contains("b7ad6b7169203331"))
        #expect(text.hasSuffix("-01 a=1,b=2 true"))
    }

    @Test(.quietLog) func `nobody else's word counts, and two words are none`() async throws {
        let stranger = try #require(IPAddress("192.0.2.7"))
        let client = TestClient(try app(), peer: .tcp(stranger, port: 1))
        let first = try await client.get("/trace", headers: [.traceparent: Self.given, .tracestate: "a=1"]).text
        let second = try await client.get("/trace").text
        #expect(!first.contains("0af7651916cd43dd8448eb211c80319c"))
        #expect(first != second)
        #expect(first.hasSuffix("-01  true"))
        var headers = Headers(.traceparent, Self.given)
        headers.append(.traceparent, Self.given)
        let proxied = TestClient(try app())
        #expect(try await !proxied.get("/trace", headers: headers).text.contains("0af7651916cd43dd8448eb211c80319c"))
    }

    /// The numbers of requests begin at any one, so their highest bits are any.
    @Test(arguments: UInt64(0)..<4)
    func `the three random numbers of a request differ`(highest: UInt64) throws {
        let bytes = MessageBytes(copying: Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)[...])
        var parser = RequestParser()
        var cursor = 0
        let head = try #require(try parser.next(in: bytes, at: &cursor))
        let notes = RequestNotes()
        notes.begin(highest << 62 | 5, at: 0)
        let context = head.request(in: bytes, body: Body(), notes: notes).traceContext
        #expect(Set([context.high, context.low, context.span]).count == 3)
    }
}
