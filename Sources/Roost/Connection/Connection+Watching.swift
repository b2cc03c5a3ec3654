// Tells the watchdog which request a handler is working on, so that one that blocks the loop is logged by name.

extension Connection {
    /// A function that never waits is about to run; it ends with `endRequest()`.
    @inline(__always)
    func beginWatchedOnTheSpot(_ request: borrowing Request) {
        let head = request.head
        group.loop.activity.beginRequest(request.bytes.base, head.target.start, head.target.end)
    }

    /// A handler is about to run; in a job of its own if the task has been suspended before.
    func beginWatched(_ request: borrowing Request) {
        beginWatchedOnTheSpot(request)
        if task != nil {
            group.loop.activity.suspendRequest(of: self)
            beginWatchedOnTheSpot(request)
        }
    }

    /// A handler that may have been suspended has returned.
    func endWatched() {
        group.loop.activity.endRequest()
        if task != nil { group.loop.activity.endSuspended(self) }
    }
}
