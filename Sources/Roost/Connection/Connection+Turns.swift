// How a client that has sent many requests at once shares the loop with others: see `TurnShare` and `TurnQueue`.

extension Connection {
    /// Whether the next request may be handled in this turn: otherwise it is later on.
    @inline(__always)
    func mayGoOn(_ share: inout TurnShare) -> Bool {
        if input.isEmpty { return true }
        guard share.allowsMore(writtenUpTo: group.output.position, now: LoopMetrics.now) else {
            giveWay()
            return false
        }
        // The watchdog must not take many requests for a long one.
        group.loop.activity.work()
        return true
    }

    /// Has had its share of a turn, and received more: others come first.
    func giveWay() {
        task = nil
        // The request that has had its response is not the current one any more.
        waitingRequests &+= 1
        keepInput()
        if phase == .serving { group.turns.append(self) }
    }

    /// Others have come first: goes on with what has been received, once the client has taken its earlier responses.
    func takeTurn() {
        guard phase == .serving else { return }
        if unsent != nil { return handOver(.taking(persists: true)) }
        var share = TurnShare(isContended: false)
        if let pending = answerOnTheSpot(&share) { handOver(pending) }
    }
}
