// Which connections are closed when clients wait to be accepted and there is no room for them.

extension ConnectionGroup {
    /// The maximum number of connections that are closed at once to make room.
    private static let mostShed = 32

    /// Closes some connections to make room: those that have been idle longest or, when none is idle, those whose
    /// clients keep others waiting longest. It closes an eighth of them, at least one and at most 32, so that one look
    /// at all of them is enough for some time. Returns how many.
    func makeRoom() -> Int {
        let idle = close(those: { $0.idleTime })
        return idle > 0 ? idle : close(those: { $0.slowTime })
    }

    /// Closes some of the connections for which `time` returns seconds: those with the most.
    private func close(those time: (Connection) -> Int?) -> Int {
        var count = 0
        var first: [(connection: Connection, time: Int)] = []
        for connection in connections.values {
            guard let time = time(connection) else { continue }
            count += 1
            let place = first.firstIndex { time > $0.time } ?? first.count
            guard place < Self.mostShed else { continue }
            first.insert((connection, time), at: place)
            if first.count > Self.mostShed { first.removeLast() }
        }
        return first.prefix(max(count / 8, 1)).count { $0.connection.shed() }
    }
}
