import Roost
import Synchronization

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
