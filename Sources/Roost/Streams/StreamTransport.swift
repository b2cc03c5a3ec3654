// A WebSocket over HTTP/2 (RFC 8441) is a stream in both directions. Its session knows connections only: so it gets one
// of its own, without a socket, whose bytes pass through the stream.

/// A stream as what the bytes of a connection pass through.
final class StreamTransport: Transport {
    /// The stream; nil when it has ended.
    private var exchange: StreamExchange?
    private weak var connection: Connection?
    /// The bytes that the connection has sent, and the client's window has not let through.
    private(set) var output: [UInt8] = []
    /// The part of the clients' memory that the output has.
    private var lease: MemoryLease?
    /// Whether the connection sends nothing more.
    private var hasEnded = false
    /// The number of seconds since then.
    private var secondsSinceEnd = 0

    /// The most bytes that are kept; the connection keeps the others.
    private static let room = 16 * 1024

    init(_ exchange: StreamExchange) { self.exchange = exchange }

    /// Lets a protocol speak for the stream from now on.
    func speak(_ upgrade: any ProtocolUpgrade, in group: ConnectionGroup, for exchange: StreamExchange) {
        let connection = Connection(
            -1, from: exchange.connection.peer, for: exchange.client, through: self, notes: exchange.notes, in: group)
        self.connection = connection
        group.add(connection)
        connection.watch(.readable)
        connection.speak(upgrade)
    }

    // MARK: The connection's side

    func read(into memory: UnsafeMutableRawBufferPointer) -> Transfer {
        guard let exchange else { return .failed }
        let count = exchange.body?.read(into: memory) ?? 0
        return count > 0 ? .bytes(count) : hasMore ? .end : .wouldBlock
    }

    func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Transfer {
        guard let exchange, !hasEnded else { return .failed }
        let count = min(bytes.count, Self.room - output.count)
        // A part of a message may have become nothing when it was compressed.
        guard count > 0 || bytes.isEmpty else { return .wouldBlock }
        output += bytes[..<count]
        exchange.carrier.goOn(exchange)
        return .bytes(count)
    }

    func send(_ file: Int32, _ range: Range<Int>) -> Transfer { .failed }

    var hasMore: Bool { exchange?.body?.hasMore ?? true }
    var peerHasFinished: Bool { exchange?.body?.isWhole ?? true }
    var hasToWrite: Bool { false }
    var speaksHTTP2: Bool { false }
    var handshake: Handshake { .done }

    func end() {
        guard let exchange, !hasEnded else { return }
        hasEnded = true
        // What the connection still has is lost. An orderly end would say that it was sent.
        guard connection?.hasTakenOutput ?? true else { return exchange.carrier.isOverdue(exchange) }
        exchange.carrier.goOn(exchange)
    }

    // MARK: The stream's side

    /// More has come, or the end.
    func inputHasCome() { connection?.readTransportLater() }

    /// The number of bytes that can be sent now, at most so many.
    func unsent(upTo most: Int) -> StreamOutput.Reading {
        let count = min(most, output.count)
        if count == 0, !hasEnded { return .later }
        return .bytes(count, isEnd: hasEnded && count == output.count)
    }

    /// Copies as many bytes as there is room for. False when they are not there any more.
    func take(into room: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        let count = room.count
        if count == 0 { return true }
        guard count <= output.count else { return false }
        _ = room.update(fromContentsOf: output[..<count])
        output.removeFirst(count)
        if output.isEmpty { lease = nil }
        if let connection, connection.socket.interest.contains(.writable) {
            connection.group.loop.afterEvents { [weak connection] in connection?.ready(.writable) }
        }
        return true
    }

    /// Takes the memory that unsent output needs out of the budget of clients. False when they have no more.
    func countMemory(_ memory: MemoryBudget) -> Bool {
        guard lease == nil, !output.isEmpty else { return true }
        guard memory.hasRoom(for: Self.room, of: Self.room) else { return false }
        lease = MemoryLease(Self.room, of: memory)
        return true
    }

    /// A second has passed. True when the client has not taken the last bytes in time; before the end, the connection
    /// sees to that.
    func isOverdue(after limit: Int) -> Bool {
        if hasEnded { secondsSinceEnd += 1 }
        return secondsSinceEnd > limit
    }

    /// The stream has ended.
    func streamHasEnded() {
        exchange = nil
        lease = nil
        connection?.close()
    }
}
