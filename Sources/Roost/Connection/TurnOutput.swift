/// The output that a loop's connections have written and not sent yet. It goes out together when the turn ends, or
/// earlier when many of them have written, or much.
///
/// So a few requests are handled in a row, and then the kernel sends their responses: the code of neither pushes the
/// other's out of the processor's caches for each request. And a client or a proxy on the same machine is woken once
/// for several responses.
///
/// Used on the loop's thread only.
final class TurnOutput: TurnObserver {
    /// The maximum number of parts that are gathered: more save nothing, and the first would wait longer.
    static let mostParts = 16
    /// The size of the gathered output, in bytes, from which it is sent.
    static let size = 64 * 1024

    /// The output of one connection, written without another's in between.
    private struct Part {
        let connection: Connection
        let start: Int
    }

    private let buffer = ByteBuffer(capacity: TurnOutput.size)
    /// The number of bytes that have been sent.
    @exclusivity(unchecked) private var sentCount = 0
    @exclusivity(unchecked) private var parts: [Part] = []
    /// The connection of the last part.
    @exclusivity(unchecked) private var writer: ObjectIdentifier?
    private var isSending = false

    /// Returns the buffer that the connection writes to.
    @inline(__always)
    func buffer(for connection: Connection) -> ByteBuffer {
        if writer != ObjectIdentifier(connection) { begin(connection) }
        return buffer
    }

    @inline(never)
    private func begin(_ connection: Connection) {
        if parts.isEmpty { connection.group.loop.afterTurn(self) }
        parts.append(Part(connection: connection, start: buffer.count))
        writer = ObjectIdentifier(connection)
    }

    /// The number of bytes that connections have written so far, including those that have been sent.
    var position: Int { sentCount &+ buffer.count }

    /// Sends what has been written if many connections have written, or much.
    @inline(__always)
    func sendIfFull() {
        if parts.count >= Self.mostParts || buffer.count >= Self.size { send() }
    }

    /// Sends what has been written.
    func send() {
        guard !parts.isEmpty, !isSending else { return }
        isSending = true
        var index = 0
        while index < parts.count {
            let part = parts[index]
            index += 1
            let end = index < parts.count ? parts[index].start : buffer.count
            part.connection.write(UnsafeBufferPointer(rebasing: buffer.written[part.start..<end]))
        }
        parts.removeAll(keepingCapacity: true)
        writer = nil
        sentCount &+= buffer.count
        buffer.removeAll()
        isSending = false
    }

    func turnEnded() { send() }

    /// The size of the buffer's memory in bytes.
    var capacity: Int { buffer.capacity }

    /// Gives back memory that a large response needed.
    func trim() {
        if parts.isEmpty { buffer.trim(to: Self.size) }
    }
}
