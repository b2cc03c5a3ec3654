// How a connection makes room for another one.

extension Connection {
    /// The time in seconds for which the connection may wait for a client before the client counts as slow: a segment
    /// that is lost and sent again takes one to three.
    private static let slowness = 3

    /// The time in seconds since the last response, if nothing has come after it; nil when that was in this second. A
    /// client that has not had one yet is not idle: when everything is slow, its first request is still on its way.
    var idleTime: Int? {
        clock.wait == .request && clock.began < group.now ? group.now - clock.began : nil
    }

    /// The time in seconds for which the connection has waited for a slow client, whose request, body or last bytes do
    /// not come, or which does not take its response; nil for any other, and for one that is not waited for.
    var slowTime: Int? {
        guard let lag = clock.lag(at: group.now, group.limits), lag >= Self.slowness else { return nil }
        return lag
    }

    /// Makes room if the connection is idle or slow. What has already come, and has not been read, counts. Returns
    /// whether it is closed, or will be as soon as its request has got a 408.
    func shed() -> Bool {
        if clock.wait == .output { tryOutput() } else { ready(.read) }
        if idleTime != nil { close() }
        if slowTime != nil { giveUp() }
        return phase == .closed || hasToGo
    }

    private func giveUp() {
        hasToGo = true
        exchange.persists = false
        switch clock.expiry {
        case .refusal: refuse(.requestTimeout, "The request came too slowly, and other clients were waiting for room.")
        case .bodyFailure:
            clock.awaitNothing(at: group.now)
            let reason = "The body came too slowly, and other clients were waiting for room."
            incoming?.fail(HTTPError(.requestTimeout, reason))
        case .close: close()
        case .handlerFailure, .silence, .nothing: break
        }
    }

    /// Checks whether the client has taken some of its output without the loop knowing yet. A task that waits to send a
    /// file tries by itself, and closes the connection if that fails.
    func tryOutput() {
        if unsent == nil { hasToGo = true }
        resend()
    }
}
