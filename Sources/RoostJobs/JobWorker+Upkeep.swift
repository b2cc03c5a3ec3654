import Logging
import Roost
import Synchronization

// What is not about the jobs that run here. A statement about it may wait for a lock, or take long.

extension JobWorker {
    /// Adds the jobs of schedules at their times, until the task is cancelled; none while the program ends.
    func keepTime(on loop: EventLoop) async {
        await again(on: loop, "Schedules of jobs wait") {
            let isDraining = state.withLock { $0.drainEnd != nil }
            return isDraining ? taker.lease : try await jobs.advance()
        }
    }

    /// Looks after figures and after what is of no use any more, until the task is cancelled.
    func keepFigures(on loop: EventLoop) async {
        await again(on: loop, "Figures of jobs wait") {
            try await jobs.look(taker)
            return taker.lease
        }
    }

    /// Does something after a third of the lease at the latest, again and again; if it fails, with a warning.
    /// - Parameter body: Returns the time until it is due again.
    private func again(on loop: EventLoop, _ warning: String, _ body: () async throws -> Duration) async {
        while !Task.isCancelled {
            var rest = taker.lease / 3
            do {
                rest = max(.milliseconds(1), min(rest, try await body()))
            } catch {
                if Task.isCancelled { return }
                jobs.logger.warning("\(warning): \(LogText.escaped("\(error)"))")
            }
            guard (try? await loop.sleep(for: rest)) != nil else { return }
        }
    }
}
