import Synchronization

/// Notices that a loop has been doing one thing for too long, and so has not looked at its sockets.
///
/// It checks from time to time whether a loop is still doing what it was last seen doing, so it costs the loops next to
/// nothing. That is reported when it has lasted for the threshold and up to one interval more; the time in which the
/// loop's thread could not run, since the machine was busy with others, does not count. Used by one thread.
package final class LoopWatchdog {
    /// Gets the loop's number and the subjects that it may be working on (``LoopActivity``).
    package typealias Report = @Sendable (_ loop: Int, _ subjects: [UInt]) -> Void

    private let activities: [LoopActivity]
    private let threshold: Duration
    private let report: Report
    private let runDelay: @Sendable (Int) -> Duration?
    private var seen: [Sighting]

    private struct Sighting {
        var number: UInt?
        var since = Duration.zero
        /// The time for which the loop's thread had waited for a processor until then.
        var delay: Duration?
        var isReported = false
    }

    /// - Parameter runDelay: Returns how long the thread of the loop with a number has waited for a processor since it
    ///   began; nil counts as no time.
    package init(
        _ loops: [EventLoop], threshold: Duration, _ report: @escaping Report,
        runDelay: @escaping @Sendable (Int) -> Duration? = { _ in nil }
    ) {
        activities = loops.map(\.activity)
        self.threshold = threshold
        self.report = report
        self.runDelay = runDelay
        seen = Array(repeating: Sighting(), count: loops.count)
    }

    /// The time between two looks at the loops: half the threshold, at least 1 ms.
    var interval: Duration { max(.milliseconds(1), threshold / 2) }

    /// Looks at the loops; `now` is counted from any point in time.
    package func look(at now: Duration) {
        for (index, activity) in activities.enumerated() {
            let number = activity.busyTurn
            if number == nil || number != seen[index].number {
                seen[index] = Sighting(number: number, since: now, delay: number == nil ? nil : runDelay(index))
            }
            guard number != nil, !seen[index].isReported, now - seen[index].since >= threshold else { continue }
            let delay = seen[index].delay.flatMap { before in runDelay(index).map { $0 - before } } ?? .zero
            guard now - seen[index].since - delay >= threshold else { continue }
            let subjects = activity.subjects
            guard activity.busyTurn == number else { continue }
            seen[index].isReported = true
            report(index, subjects)
        }
    }
}

/// A watchdog on a thread of its own, until it is deinitialized.
final class RunningWatchdog: Sendable {
    private let thread: LoopThread
    private let end = CountingSemaphore()

    init(_ watchdog: sending LoopWatchdog) throws(SystemError) {
        let interval = watchdog.interval
        let start = SuspendingClock.now
        let watchdog = Mutex(watchdog)
        thread = try LoopThread(name: "roost-watchdog") { [end] in
            while !end.wait(atMost: interval) { watchdog.withLock { $0.look(at: start.duration(to: .now)) } }
        }
    }

    deinit {
        end.post()
        thread.join()
    }
}
