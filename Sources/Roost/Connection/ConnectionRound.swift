/// A look at all connections of a loop, once a second: some in each turn, so that thousands keep nobody waiting.
///
/// Used on the loop's thread only.
final class ConnectionRound {
    /// The maximum number of connections that are looked at in one turn.
    static let size = 256

    private let loop: EventLoop
    private var connections: [Connection] = []
    private var next = 0

    init(on loop: EventLoop) { self.loop = loop }

    /// Begins, if the latest one is over.
    func begin(_ all: some Collection<Connection>) {
        guard connections.isEmpty else { return }
        connections = Array(all)
        goOn()
    }

    private func goOn() {
        let end = min(next + Self.size, connections.count)
        for connection in connections[next..<end] { connection.secondHasPassed() }
        next = end
        if next < connections.count { return loop.inNextTurn { [self] in goOn() } }
        connections = []
        next = 0
    }
}
