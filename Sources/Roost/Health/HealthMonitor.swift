import Logging
import Synchronization

/// Runs an application's checks for all who ask, at most once a second.
final class HealthMonitor: Sendable {
    private let runs: [HealthRun]
    private let explains: Bool
    private let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant
    private let phase = Atomic(ServerPhase.starting.rawValue)
    private let state = Mutex(State())

    private struct State {
        var latest: (report: HealthReport, time: ContinuousClock.Instant)?
        var running: Task<HealthReport, Never>?
        /// The states of the checks by their names, as last written to the log.
        var told: [String: HealthReport.State] = [:]
    }

    /// The time for which a report is good.
    private static let age = Duration.seconds(1)

    /// - Parameters:
    ///   - explains: Whether everybody may see why a check failed.
    ///   - now: The clock of the age of reports.
    ///   - sleep: The clock of timeouts.
    init(
        _ checks: [HealthCheck],
        explains: Bool,
        logger: Logger,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await EventLoop.pause(for: $0) }
    ) {
        runs = checks.map { HealthRun($0, sleep: sleep) }
        self.explains = explains
        self.logger = logger
        self.now = now
    }

    /// The server tells how far it is.
    func serverChanged(to phase: ServerPhase) { self.phase.store(phase.rawValue, ordering: .relaxed) }

    /// Returns the current report, or nil if checks have to run for it.
    func reportNow() -> HealthReport? {
        switch ServerPhase(rawValue: phase.load(ordering: .relaxed)) {
        case .starting, nil: return HealthReport(status: .starting)
        case .draining: return HealthReport(status: .draining)
        case .serving: break
        }
        if runs.isEmpty { return HealthReport(status: .ready) }
        return state.withLock { state in
            state.latest.flatMap { $0.time + Self.age > now() ? $0.report : nil }
        }
    }

    /// The state of everything, from a run that began at most a second ago.
    func report() async -> HealthReport {
        if let report = reportNow() { return report }
        let running = state.withLock { state in
            if let running = state.running { return running }
            let task = Task(executorPreference: EventLoop.current) { await self.run() }
            state.running = task
            return task
        }
        return await running.value
    }

    private func run() async -> HealthReport {
        let began = now()
        let results = await withTaskGroup { group in
            for run in runs { group.addTask { (run.check.name, await run.result()) } }
            // Of several checks with one name, as of two databases, the one that fails counts.
            return await group.reduce(into: [String: HealthRun.Result]()) { results, next in
                if results[next.0].map({ $0.state == .ok }) ?? true { results[next.0] = next.1 }
            }
        }
        tell(results)
        let errors = results.compactMapValues(\.error)
        let warnings = Set(runs.map(\.check).filter(\.isWarning).map(\.name))
        let report = HealthReport(
            status: results.allSatisfy { $1.state == .ok || warnings.contains($0) } ? .ready : .unavailable,
            checks: results.mapValues(\.state),
            errors: explains && !errors.isEmpty ? errors : nil
        )
        state.withLock { state in
            state.latest = (report, began)
            state.running = nil
        }
        return report
    }

    /// Logs what has changed: a probe asks again and again.
    private func tell(_ results: [String: HealthRun.Result]) {
        let changed = state.withLock { state in
            defer { state.told = results.mapValues(\.state) }
            return results.filter { state.told[$0.key, default: .ok] != $0.value.state }
        }
        for (name, result) in changed.sorted(by: { $0.key < $1.key }) {
            if let error = result.error {
                logger.error("The health check \(name) fails: \(LogText.escaped(error))")
            } else {
                logger.notice("The health check \(name) is fine again.")
            }
        }
    }
}

/// The report that `/health/ready` gives.
struct HealthReport: Encodable, Sendable {
    /// The state of the whole.
    enum Status: String, Encodable, Sendable {
        case ready, starting, draining, unavailable
    }

    /// The state of one check.
    enum State: String, Encodable, Sendable {
        case ok, failed
        /// The check has taken longer than its timeout.
        case late
    }

    var status: Status
    var checks: [String: State] = [:]
    /// The errors of the checks that have failed, by their names; left out in production.
    var errors: [String: String]?
}
