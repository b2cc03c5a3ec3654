import Logging
import Roost
import RoostSQL
import Synchronization

// A database that does not respond holds nobody up. A statement that has been sent cannot be withdrawn, so the end of
// the program leaves it behind. What ran is then due again when its lease ends.

extension JobWorker {
    /// The time for which the end waits for the database: five seconds, with a database's usual limit of 30 for a
    /// statement.
    private var patience: Duration { max(jobs.database.configuration.timeout / 6, .seconds(1)) }

    /// Lets the task that works end once nothing runs any more, or after the drain. Returns then, or when the database
    /// has not responded for a while.
    func stop(_ work: Task<Void, Never>) async {
        let start = ContinuousClock.now
        state.withLock { $0.isStopping = true }
        wake()
        while true {
            // A statement may keep that task from doing this.
            let next = endOverdue()
            let (now, last) = (ContinuousClock.now, lastMoment(start))
            guard now < last else { break }
            if await inTime(now.duration(to: min(last, next ?? last)), { await work.value }) != nil { return }
        }
        work.cancel()
        if state.withLock({ !$0.runs.isEmpty }) { reportLoss("the database does not respond.") }
    }

    /// The time until which the end waits, as things are.
    /// - Parameter start: The time at which the end has begun.
    func lastMoment(_ start: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let end = state.withLock { $0.runs.isEmpty ? start : max(start, ($0.drainEnd ?? start) + Self.grace) }
        return end + patience
    }

    /// Writes the last ends, and gives back what still runs.
    func giveBack() async {
        let ends = state.withLock { state in
            let ended = Set(state.ends.filter(\.isOver).map(\.run))
            let rest = state.runs.filter { !ended.contains($0.key) && !$0.value.isGivenUp }.keys
            return state.ends + rest.map { ($0, .givenBack, false) }
        }
        let known = state.withLock { $0.known }
        guard !ends.isEmpty || known != nil, !Task.isCancelled else { return }
        let table = jobs.table.with(timeout: patience / 2)
        do {
            try await settle(ends, in: table)
            if let known { try await table.giveBack(allBut: known, taker.holder) }
            let done = done(ends)
            if !done.isEmpty { _ = try await table.exchange(done, for: taker, rooms: taker.queues.map { _ in 0 }) }
            if known != nil || ends.contains(where: { if case .givenBack = $0.end { true } else { false } }) {
                try await table.notify()
            }
        } catch {
            if !Task.isCancelled { reportLoss("\(error)") }
        }
    }

    private func reportLoss(_ reason: String) {
        jobs.logger.error("Jobs cannot be given back, and wait for their leases to end: \(reason)")
    }
}
