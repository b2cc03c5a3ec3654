import Glibc
import RoostTesting
import Testing

@Suite("HTTP without TLS at the port of HTTPS", .timeLimit(.minutes(5)))
struct PlainHTTPTests {
    @Test(arguments: [0, 4_000])
    func `a request gets 400, and a word that helps`(padding: Int) async throws {
        let site = try await TLSSite()
        let client = try await site.client()
        let text = "GET / HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: padding))\r\n\r\n"
        _ = write(client.socket, text, text.utf8.count)
        let socket = client.socket
        let (response, end) = try await BlockingThread.run {
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 4_096)
            var count = 0
            repeat {
                count = read(socket, &piece, piece.count)
                bytes += piece.prefix(max(count, 0))
            } while count > 0
            return (String(decoding: bytes, as: UTF8.self), count)
        }
        // The end is an end, not a reset.
        #expect(end == 0)
        #expect(response.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(response.contains("\r\nContent-Length: 58\r\nConnection: close\r\n\r\n"))
        #expect(response.hasSuffix("\r\n\r\nThis port speaks HTTPS: the address begins with https://.\n"))
        withExtendedLifetime(client) {}
    }
}
