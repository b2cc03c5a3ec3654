// How a connection makes room for another one.

extension Connection {
    /// For how many seconds a client may keep the connection waiting before it counts as slow: a segment that is lost
    /// and sent again takes one to three.
    private static let slowness = 3

    /// For how many seconds nothing has come since the last answer, nil when that was in this second. Who has not had
    /// one yet is not idle: when everything is slow, its first request is still on its way.
    var idleTime: Int? {
        clock.wait == .request && clock.began < group.now ? group.now - clock.began : nil
    }

    /// For how many seconds the connection has waited for a slow client, whose request, whose body or whose last bytes
    /// do not come, or who does not take its response; nil for any other, also for one that is not waited for.
    var slowTime: Int? {
        guard let lag = clock.lag(at: group.now, group.limits), lag >= Self.slowness else { return nil }
        return lag
    }

    /// Makes room if it is idle or slow. What has already come, and has not been read, counts. Returns whether it is
    /// closed, or will be as soon as its request has been answered with 408.
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
        case .refusal: refuse(.requestTimeout, "The request came too slowly for a server without room for others.")
        case .bodyFailure:
            clock.awaitNothing(at: group.now)
            let reason = "The body came too slowly for a server without room for others."
            incoming?.fail(HTTPError(.requestTimeout, reason))
        case .close: close()
        case .handlerFailure, .nothing: break
        }
    }

    /// Looks whether the client has taken some of its output of which the loop has not been told yet. Whoever waits to
    /// send a file tries that in its task, and closes the connection if it is in vain.
    func tryOutput() {
        if unsent == nil { hasToGo = true }
        resend()
    }
}
