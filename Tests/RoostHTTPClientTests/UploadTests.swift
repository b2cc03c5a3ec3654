import RoostHTTPClient
import RoostTesting
import Synchronization
import Testing

@testable import Roost

@Suite("Streamed uploads", .timeLimit(.minutes(5)))
struct UploadTests {
    /// Pieces of a body, as a source gives them.
    private static func body(_ pieces: [String], length: Int?) -> Body {
        let stream = AsyncThrowingStream<[UInt8], any Error> { continuation in
            for piece in pieces { continuation.yield(Array(piece.utf8)) }
            continuation.finish()
        }
        return Body(stream: stream, length: length)
    }

    @Test(arguments: [["hello, world"], ["hell"], []])
    func `a body that is not as long as announced is an error, and does not arrive as a whole`(
        pieces: [String]
    ) async throws {
        let server = try await TestHTTPServer { routes in
            routes.put(Path("/"), body: .streamed) { try await $0.body.collect(upTo: 1000).text }
        }
        await #expect(throws: BodyLengthError.self) {
            try await HTTPClient().put(server.url(), body: Self.body(pieces, length: 5))
        }
    }

    @Test func `what follows the announced length is not another request`() async throws {
        let smuggled = Mutex(0)
        let server = try await TestHTTPServer { routes in
            routes.put(Path("/"), body: .streamed) { try await $0.body.collect(upTo: 1000).text }
            routes.delete(Path("/")) { _ in
                smuggled.withLock { $0 += 1 }
                return "gone"
            }
        }
        let http = HTTPClient()
        let pieces = ["hello", "DELETE / HTTP/1.1\r\nHost: a\r\n\r\n"]
        for pieces in [pieces, [pieces.joined()]] {
            // The server may have responded to what was announced before the rest comes.
            _ = try? await http.put(server.url(), body: Self.body(pieces, length: 5))
            #expect(try await http.put(server.url(), body: Self.body(["he", "llo"], length: 5)).body.text == "hello")
        }
        #expect(smuggled.withLock { $0 } == 0)
    }

    @Test func `a body that has not been made is an error, and not left out`() async throws {
        let server = try await TestHTTPServer { routes in routes.put(Path("/")) { _ in "" } }
        await #expect(throws: BodyIsDeferred.self) {
            try await HTTPClient().put(server.url(), body: Body(deferred: Unmade()))
        }
    }

    @Test(arguments: [
        ("https://evil.test/x@good.test", "https://evil.test/x@good.test"),
        ("https://ann:secret@a.test/x@b?q=1#f", "https://a.test/x@b"), ("http://a@b@c.test", "http://c.test"),
    ])
    func `logs name the host that is asked`(url: String, plain: String) {
        #expect(HTTPClient.Request(.get, url).plainURL == plain)
    }

    @Test(arguments: [
        ("http://ann:se/cret@a.test/x?q=1", "…@a.test/x"), ("ann:se/cret@a.test:80/x", "…@a.test:80/x"),
        ("http://ann:se/c?ret@a.test/x", "…"), ("https://[::1]:8443/a@b", "https://[::1]:8443/a@b"),
        ("http://a.test:x/", "http://a.test:x/"),
    ])
    func `logs do not have the password of what is no URL`(text: String, plain: String) {
        #expect(HTTPClient.Failure(.invalidRequest, url: text).url == plain)
    }
}

private final class Unmade: Sendable {}
