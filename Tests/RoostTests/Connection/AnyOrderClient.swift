import Glibc
import Testing

/// A client on a non-blocking socket that sends pieces of requests and reads pieces of responses. Its requests carry a
/// mark of its own, which their responses repeat.
final class AnyOrderClient {
    private var number: Int
    private var socket: Int32 = -1
    private var pending: [UInt8] = []
    private var received: [UInt8] = []
    private var hasShutDown = false

    private var mark: String { "~\(number)." }

    private static let clients = 1_000

    /// - Parameter number: A different one for each client, below 1,000.
    init(_ number: Int) { self.number = number }

    /// Starts again, with another mark.
    func begin(_ socket: Int32) {
        self.socket = socket
        number += Self.clients
        (pending, received, hasShutDown) = ([], [], false)
    }

    /// Sends some of what it has to send, up to everything.
    func send(_ random: inout SplitMix64) {
        guard !hasShutDown else { return }
        if pending.count < 20_000 {
            for _ in 0..<Int.random(in: 1...4, using: &random) { pending += request(&random).utf8 }
        }
        let count = random.oneIn(2) ? pending.count : Int.random(in: 1...3_000, using: &random)
        let sent = pending.prefix(count).withUnsafeBytes {
            Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if sent > 0 { pending.removeFirst(sent) }
    }

    /// Reads some of what has arrived, up to everything.
    func receive(_ random: inout SplitMix64) {
        receive(random.oneIn(2) ? 100_000 : Int.random(in: 1...5_000, using: &random))
    }

    private func receive(_ count: Int) {
        received += [UInt8](unsafeUninitializedCapacity: count) { space, size in
            size = max(0, recv(socket, space.baseAddress, count, 0))
        }
    }

    func shutdownWrite() {
        shutdown(socket, Int32(SHUT_WR))
        hasShutDown = true
    }

    /// Disconnects, and checks that all marks in its responses are its own.
    func finish() {
        if number.isMultiple(of: 2) { receive(1_000_000) }
        close(socket)
        #expect(foreignMarks == 0, "\(mark)")
    }

    private var foreignMarks: Int {
        let own = Array(mark.utf8)
        return received.withUnsafeBufferPointer { bytes in
            guard var place = bytes.baseAddress else { return 0 }
            let end = place + bytes.count
            var count = 0
            while let found = memchr(place, Int32(own[0]), end - place) {
                if end - UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) >= own.count {
                    count += memcmp(found, own, own.count) == 0 ? 0 : 1
                }
                place = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) + 1
            }
            return count
        }
    }

    private func request(_ random: inout SplitMix64) -> String {
        let end = random.oneIn(12) ? "Connection: close\r\n\r\n" : "\r\n"
        let body = String(repeating: mark, count: Int.random(in: 0..<2_000, using: &random))
        let length = "Content-Length: \(body.utf8.count)\r\n"
        return switch Int.random(in: 0..<60, using: &random) {
        case 0..<16: "GET /now/\(mark) HTTP/1.1\r\nHost: a\r\n\(end)"
        case 16..<26: "GET /later/\(mark) HTTP/1.1\r\nHost: a\r\n\(end)"
        case 26..<30: "GET /large/\(mark) HTTP/1.1\r\nHost: a\r\n\(end)"
        case 30..<34: "HEAD /large/\(mark) HTTP/1.1\r\nHost: a\r\n\(end)"
        case 34..<38: "GET /stream/\(mark) HTTP/1.1\r\nHost: a\r\n\(end)"
        case 38..<42: "GET /elsewhere/\(mark) HTTP/1.1\r\nHost: a\r\n\(end)"
        case 42..<46: "POST /echo HTTP/1.1\r\nHost: a\r\n\(length)\(end)\(body)"
        case 46..<50: "POST /whole HTTP/1.1\r\nHost: a\r\n\(length)\(end)\(body)"
        case 50..<54:
            "POST /whole HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\(end)"
                + "\(String(mark.utf8.count, radix: 16))\r\n\(mark)\r\n0\r\n\r\n"
        case 54..<59: "POST /ignore/\(mark) HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\(length)\(end)\(body)"
        default: "nonsense\r\n\r\n"
        }
    }
}
