// What connections do, counted once a second for the metrics.

extension ConnectionGroup {
    /// The number of connections in each state.
    var stateCounts: [LoopMetrics.State: Int] {
        var counts: [LoopMetrics.State: Int] = [:]
        for connection in connections.values { counts[connection.state, default: 0] += 1 }
        return counts
    }
}

extension Connection {
    /// The connection's state, as the metrics count it.
    fileprivate var state: LoopMetrics.State {
        switch phase {
        case .waiting: input.isEmpty ? .idle : .receiving
        case .serving: .handling
        case .webSocket: .websocket
        case .lingering, .closed: .closing
        }
    }

    /// A request has its response, or at least the head of it.
    @inline(__always)
    func responded(_ code: Int) {
        guard let metrics = group.metrics else { return }
        metrics.responded(exchange.method, notes.route, status: code, since: requestStart)
    }
}
