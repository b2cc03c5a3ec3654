import Synchronization

/// A check, and whether it is still under way.
final class HealthRun: Sendable {
    /// The result of one run of a check.
    struct Result: Sendable {
        var state: HealthReport.State
        var error: String?
    }

    let check: HealthCheck
    private let isRunning = Atomic(false)
    private let sleep: @Sendable (Duration) async throws -> Void

    init(_ check: HealthCheck, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        self.check = check
        self.sleep = sleep
    }

    /// Runs the check, up to its timeout. One that does not react to being cancelled goes on by itself; until it ends,
    /// it is not begun again.
    func result() async -> Result {
        guard !isRunning.exchange(true, ordering: .acquiringAndReleasing) else {
            return Result(state: .late, error: "It still hangs.")
        }
        let result = await inTime(check.timeout, sleep: sleep) { () async -> Result in
            defer { self.isRunning.store(false, ordering: .releasing) }
            do {
                try await self.check.body()
                return Result(state: .ok)
            } catch {
                return Result(state: .failed, error: "\(error)")
            }
        }
        return result ?? Result(state: .late, error: "It took longer than \(check.timeout).")
    }
}
