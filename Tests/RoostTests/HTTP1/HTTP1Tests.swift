import Testing

// What HTTP/1.1 asks of the parser, the body decoder and the serializer, in the order of RFC 9112, then RFC 9110.
// Each case is one line of a table. `read(_:)` gives a message to the parser whole, cut at every offset, and byte by
// byte, and expects the same outcome each time, so every table tests that as well.

/// All that is tested of messages as bytes.
@Suite("HTTP/1.1", .timeLimit(.minutes(5)), .timeLimit(.minutes(5))) enum HTTP1Tests {}

/// A request without a body.
func get(_ target: String) -> String { "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n" }

/// A request that opens a WebSocket.
func handshake(_ target: String) -> String {
    """
    GET \(target) HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n
    """
}

/// A request with more field lines, each with its CRLF, and a body.
func post(_ fields: String, _ body: String = "") -> String {
    "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\(body)"
}

/// A request with a chunked body.
func chunked(_ body: String) -> String { post("Transfer-Encoding: chunked\r\n", body) }
