// Which connections are closed when clients wait to be accepted and there is no room for them.

extension ConnectionGroup {
    /// The maximum number of connections that are closed at once to make room.
    private static let mostShed = 32

    /// Closes some connections to make room: those that have been idle longest or, when none is idle, those whose
    /// clients keep others waiting longest. It closes an eighth of them, at least one and at most 32, so that one look
    /// at all of them is enough for some time. Returns how many.
    package func makeRoom() -> Int {
        let idle = close(those: { $0.idleTime })
        return idle > 0 ? idle : close(those: { $0.slowTime })
    }

    /// Closes some of the connections for which `time` returns seconds: those with the most.
    private func close(those time: (Connection) -> Int?) -> Int {
        var count = 0
        var first: [(connection: Connection, time: Int)] = []
        for connection in connections.values {
            guard connection.socket.isOfSystem, let time = time(connection) else { continue }
            count += 1
            let place = first.firstIndex { time > $0.time } ?? first.count
            guard place < Self.mostShed else { continue }
            first.insert((connection, time), at: place)
            if first.count > Self.mostShed { first.removeLast() }
        }
        return first.prefix(max(count / 8, 1)).count { $0.connection.shed() }
    }
}

extension Connection {
    /// The time in seconds for which the connection may wait for a client before the client counts as slow: a segment
    /// that is lost and sent again takes one to three.
    private static let slowness = 3

    /// The time in seconds since the last response, if nothing has come after it; nil when that was in this second. A
    /// client that has not had one yet is not idle: when everything is slow, its first request is still on its way.
    var idleTime: Int? {
        let isIdle = state.wait == .request || state.wait == .session && session?.work == SessionWork.none
        return isIdle && state.began < group.now ? group.now - state.began : nil
    }

    /// The time in seconds for which the connection has waited for a slow client, whose request, body or last bytes do
    /// not come, or which does not take its response; nil for any other, and for one that is not waited for. One that
    /// does not take a file has until its deadline: only its task can tell what has been taken.
    var slowTime: Int? {
        guard state.wait != .output || unsent != nil else { return nil }
        let lag = state.wait == .session ? session?.lag : state.lag(at: group.now, group.limits)
        guard let lag, lag >= Self.slowness else { return nil }
        return lag
    }

    /// Closes the connection if it is idle or slow, which is not so when the loop only does not know yet what has come,
    /// or was taken. Returns whether it is closed.
    func shed() -> Bool {
        if state.wait == .output { resend() } else { ready(.readable) }
        if idleTime != nil || slowTime != nil { close() }
        return state.phase == .closed
    }
}
