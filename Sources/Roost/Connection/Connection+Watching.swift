// Tells the watchdog which request a handler is at, so that one that blocks the loop is logged by name.

extension Connection {
    /// A handler is about to run; in a job of its own when the task has been suspended before.
    @inline(__always)
    func beginWatched(_ request: borrowing Request) {
        tellActivity(request)
        if task != nil {
            group.loop.activity.suspendRequest(of: self)
            tellActivity(request)
        }
    }

    /// A handler that may have been suspended has returned.
    func endWatched() {
        group.loop.activity.endRequest()
        if task != nil { group.loop.activity.endSuspended(self) }
    }

    @inline(__always)
    private func tellActivity(_ request: borrowing Request) {
        let head = request.head
        group.loop.activity.beginRequest(request.bytes.base, head.target.start, head.target.end)
    }
}
