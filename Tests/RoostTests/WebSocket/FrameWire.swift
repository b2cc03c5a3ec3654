@testable import Roost

/// Frames as a client sends them, and what a server makes of them, without a connection.
enum FrameWire {
    /// The result of reading some bytes.
    struct Outcome: Equatable {
        var events: [MessageReceiver.Event] = []
        var failure: WebSocketFailure?
        /// Whether nothing more is read.
        var isOver = false
    }

    /// A frame with any bits, masked unless `key` is nil.
    static func frame(
        _ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, reserved: UInt8 = 0,
        key: [UInt8]? = [0x37, 0xFA, 0x21, 0x3D]
    ) -> [UInt8] {
        header(opcode, UInt64(payload.count), isFinal: isFinal, reserved: reserved, key: key)
            + payload.enumerated().map { index, byte in key.map { byte ^ $0[index % 4] } ?? byte }
    }

    static func text(_ text: String, isFinal: Bool = true) -> [UInt8] {
        frame(0x1, Array(text.utf8), isFinal: isFinal)
    }

    /// A header with the shortest form of any length.
    static func header(
        _ opcode: UInt8, _ length: UInt64, isFinal: Bool = true, reserved: UInt8 = 0,
        key: [UInt8]? = [0x37, 0xFA, 0x21, 0x3D]
    ) -> [UInt8] {
        let mask: UInt8 = key == nil ? 0 : 0x80
        let first = (isFinal ? 0x80 : 0) | reserved << 4 | opcode
        let wide = (0..<8).map { UInt8(truncatingIfNeeded: length >> UInt64(56 - 8 * $0)) }
        return switch length {
        case ..<126: [first, mask | UInt8(length)] + (key ?? [])
        case ..<65_536: [first, mask | 126] + wide[6...] + (key ?? [])
        default: [first, mask | 127] + wide + (key ?? [])
        }
    }

    /// Reads all bytes at once, in memory of just their size.
    static func read(
        _ bytes: [UInt8], limit: Int = 1 << 20, compression: IncomingCompression? = nil, cuts: [Int] = []
    ) -> Outcome {
        var receiver = MessageReceiver(from: .client, limit: limit, compression: compression)
        var outcome = Outcome()
        var unread: [UInt8] = []
        var start = 0
        for end in cuts + [bytes.count] {
            unread += bytes[start..<end]
            start = end
            let received = unread.withUnsafeBufferPointer { MessageBytes(copying: $0) }
            var cursor = 0
            do throws(WebSocketFailure) {
                while let event = try receiver.next(in: received, at: &cursor, now: 0) {
                    outcome.events.append(event)
                }
            } catch {
                outcome.failure = error
            }
            unread.removeFirst(cursor)
        }
        outcome.isOver = receiver.isOver
        return outcome
    }

    /// Reads bytes whole, cut at every place, and byte by byte: the outcome must be the same.
    static func readEveryWay(_ bytes: [UInt8], limit: Int = 1 << 20) throws -> Outcome {
        let whole = read(bytes, limit: limit)
        for cut in bytes.indices {
            let outcome = read(bytes, limit: limit, cuts: [cut])
            if outcome != whole { throw Difference(cut: cut, outcome: outcome, whole: whole) }
        }
        let outcome = read(bytes, limit: limit, cuts: Array(bytes.indices))
        if outcome != whole { throw Difference(cut: nil, outcome: outcome, whole: whole) }
        return whole
    }

    struct Difference: Error {
        let cut: Int?
        let outcome: Outcome
        let whole: Outcome
    }

    /// The code with which some bytes make the connection fail, however they are cut.
    static func failure(_ bytes: [UInt8], limit: Int = 1 << 20) throws -> WebSocketCloseCode? {
        try readEveryWay(bytes, limit: limit).failure?.code
    }
}
