import RoostTLS
import RoostTesting
import Testing

@testable import Roost

/// Sequences of valid frames in which something has been changed.
@Suite("HTTP/2: changed frames", .timeLimit(.minutes(5)))
struct HTTP2FuzzTests {
    private typealias Frame = HTTP2Client.Frame

    private static let valid: [Frame] = [
        Frame(.settings, HTTP2Client.setting(4, 100)), Frame(.settings, flags: 1),
        Frame(.headers, flags: 5, stream: 1, HTTP2Client.head("GET", "/large")),
        Frame(.windowUpdate, stream: 1, HTTP2Client.bytes(70_000)),
        Frame(.headers, flags: 4, stream: 3, HTTP2Client.head("POST", "/sum", [("content-length", "6")])),
        Frame(.data, stream: 3, [1, 2, 3]), Frame(.ping, [0, 1, 2, 3, 4, 5, 6, 7]),
        Frame(.data, flags: 9, stream: 3, [2, 1, 2, 3, 0, 0]),
        Frame(.headers, stream: 5, HTTP2Client.head("POST", "/echo", [("expect", "100-continue")])),
        Frame(.continuation, flags: 4, stream: 5, HTTP2Client.field("cookie", "a=1")),
        Frame(.data, stream: 5, [1, 2, 3]), Frame(.headers, flags: 5, stream: 5, HTTP2Client.field("a", "b")),
        Frame(.headers, flags: 0x25, stream: 7, [0, 0, 0, 5, 1] + HTTP2Client.head("GET", "/events")),
        Frame(.reset, stream: 1, HTTP2Client.bytes(8)), Frame(.priority, stream: 9, [0, 0, 0, 1, 1]),
        Frame(.headers, flags: 13, stream: 9, [1] + HTTP2Client.head("HEAD", "/pieces") + [0]),
        Frame(.headers, flags: 4, stream: 11, HTTP2Client.head("POST", "/ignores")),
        Frame(.data, flags: 1, stream: 11, [UInt8](repeating: 1, count: 5_000)),
        Frame(.headers, flags: 5, stream: 13, HTTP2Client.head("GET", "/broken")),
        Frame(.headers, flags: 4, stream: 15, HTTP2Client.connect("/chat")),
        Frame(.data, stream: 15, [0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]),
        Frame(.windowUpdate, HTTP2Client.bytes(1_000_000)), Frame(.goaway, [UInt8](repeating: 0, count: 8)),
    ]

    /// The number of sequences (`FUZZ_ROUNDS`), and the number that the changes follow from (`FUZZ_SEED`): a long run
    /// is many processes with a seed each.
    private static let count = number("FUZZ_ROUNDS", default: 150)
    private static let seed = number("FUZZ_SEED", default: 11)

    private static func number(_ name: String, default value: Int) -> Int {
        ProcessEnvironment.variables[name].flatMap { Int($0) } ?? value
    }

    @Test func `end a connection at worst`() async throws {
        let latch = Latch()
        latch.open()
        let server = try await HTTP2Site.server(latch: latch)
        var numbers = Numbers(state: UInt64(Self.seed))
        for round in 0..<Self.count {
            var bytes = Self.changed(&numbers)
            let client = try await HTTP2Client(to: server)
            if Bool.random(using: &numbers), !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &numbers)
                try? await client.connection.send(Array(bytes[..<place]))
                bytes.removeFirst(place)
            }
            try? await client.connection.send(bytes)
            if Bool.random(using: &numbers) {
                try? client.connection.shutdownWrite()
                while (try? await client.connection.receive())?.isEmpty == false {}
            }
            client.connection.close()
            if round % 50 == 0 { #expect(try await HTTP2Client(to: server).request("/").text == "ok") }
        }
        // A reset right behind bytes is noticed when the server looks for the client, each second.
        while await server.connectionCount() > 0 || server.memory.count > 0 {
            try await Task.yieldOnce()
            await server.passSecond()
        }
    }

    private static func changed(_ numbers: inout Numbers) -> [UInt8] {
        var frames = valid
        for _ in 0..<Int.random(in: 1...5, using: &numbers) where !frames.isEmpty {
            let place = Int.random(in: 0..<frames.count, using: &numbers)
            switch Int.random(in: 0..<8, using: &numbers) {
            case 0: frames.remove(at: place)
            case 1: frames.insert(frames[place], at: Int.random(in: 0...place, using: &numbers))
            case 2: frames.swapAt(place, Int.random(in: 0..<frames.count, using: &numbers))
            case 3: frames[place].kind = UInt8.random(in: 0...10, using: &numbers)
            case 4: frames[place].flags ^= 1 << UInt8.random(in: 0...7, using: &numbers)
            case 5: frames[place].stream = Int32.random(in: 0...15, using: &numbers)
            case 6: frames[place].payload.removeLast(min(frames[place].payload.count, place + 1))
            default:
                guard let index = frames[place].payload.indices.randomElement(using: &numbers) else { continue }
                frames[place].payload[index] = UInt8.random(in: .min ... .max, using: &numbers)
            }
        }
        var bytes = frames.flatMap(\.bytes)
        // Now and then what says how long a frame is.
        if Int.random(in: 0..<8, using: &numbers) == 0, let index = bytes.indices.randomElement(using: &numbers) {
            bytes[index] = UInt8.random(in: .min ... .max, using: &numbers)
        }
        return bytes
    }
}
