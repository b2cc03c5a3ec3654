/// Where a WebSocket writes its frames until it waits for a message, another WebSocket writes, or the turn of the loop
/// ends: small ones that follow each other go out with one write. Each loop has one.
///
/// It is not the connections' own output buffer, because a handler of one connection may send to another one while
/// responses are gathered there.
final class FrameGathering: TurnObserver {
    private let buffer = ByteBuffer(capacity: FrameGathering.size)
    /// The WebSocket whose frames have not been sent.
    @exclusivity(unchecked) private var holder: WebSocketSession?

    /// How much is gathered, in bytes.
    static let size = 16 * 1024

    /// Where a WebSocket writes.
    func buffer(for session: WebSocketSession) -> ByteBuffer {
        if holder !== session || buffer.count >= Self.size {
            flush()
            holder = session
            session.connection.group.loop.afterTurn(self)
        }
        return buffer
    }

    /// Sends what a WebSocket has written.
    func flush(_ session: WebSocketSession) { if holder === session { flush() } }

    func turnEnded() { flush() }

    private func flush() {
        guard let session = holder.take() else { return }
        session.connection.write(buffer.written)
        buffer.removeAll()
    }

    /// Gives back memory that a large frame needed.
    func trim() { buffer.trim(to: Self.size) }
}
