import Logging
import Roost
import Synchronization

extension JobWorker {
    /// Cancels what has taken too long, and gives up what does not end even then.
    /// - Returns: The time at which that is to be done again.
    func endOverdue() -> ContinuousClock.Instant? {
        let now = ContinuousClock.now
        let drainEnd = state.withLock { $0.drainEnd }
        if let drainEnd, drainEnd <= now { cancel(.drained) { _ in true } }
        // Nobody could be asked: other instances may have taken what was taken before.
        let leaseEnd = state.withLock { $0.leaseEnd }
        if leaseEnd <= now { cancel(.lost) { $0.taken + taker.lease <= now } }
        cancel(.late) { $0.deadline <= now }
        state.withLock { state in
            for (number, run) in state.open
            where (run.cause == .late || run.cause == .lost) && run.deadline + Self.grace <= now && !run.isGivenUp {
                guard let kind = jobs.kinds[run.job.name] else { continue }
                jobs.logger.error("The job \(run.job.name) \(run.job.id) does not end: it keeps its place.")
                state.runs[number]?.isGivenUp = true
                state.ends.append((number, late(run.job, kind), false))
                state.isWoken = true
            }
        }
        let dues = state.withLock { state in
            state.open.values.filter { !$0.isGivenUp }.map { $0.cause == nil ? $0.deadline : $0.deadline + Self.grace }
        }
        let ends = (drainEnd.map { [$0, $0 + Self.grace] } ?? []) + (dues.isEmpty ? [] : [leaseEnd])
        return (dues + ends).filter { $0 > now }.min()
    }

    func cancel(_ cause: Cause, _ isMeant: (Run) -> Bool) {
        let runs = state.withLock { state in
            let numbers = state.open.filter { $0.value.cause == nil && isMeant($0.value) }.keys
            for number in numbers { state.runs[number]?.cause = cause }
            return numbers.compactMap { state.runs[$0] }
        }
        for run in runs {
            jobs.logger.warning("The job \(run.job.name) \(run.job.id) is cancelled: \(cause.rawValue)")
            run.task?.cancel()
        }
    }
}

extension JobWorker {
    /// Waits until a time, or until it is woken.
    func pause(until time: ContinuousClock.Instant, ignoresNews: Bool) async {
        let home = EventLoop.current
        let rest = ContinuousClock.now.duration(to: time)
        guard rest > .zero, let home else { return }
        if ignoresNews {
            try? await home.sleep(for: rest)
            return
        }
        guard state.withLock({ !$0.isWoken }) else { return }
        let sleeper = Task(executorPreference: home) {
            try await home.sleep(for: rest)
            self.wake(hasNews: false)
        }
        await withCheckedContinuation { continuation in
            let isWoken = state.withLock { state in
                if !state.isWoken { state.waiting = continuation }
                return state.isWoken
            }
            if isWoken { continuation.resume() }
        }
        sleeper.cancel()
    }
}

extension JobWorker: TurnObserver {
    /// Jobs have ended in a turn of their loop.
    func turnEnded() { wake(hasNews: false) }
}
