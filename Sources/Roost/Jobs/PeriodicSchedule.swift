/// The times at which something periodic is due, counted from its start. However long each run takes, the times stay
/// multiples of the interval; those that pass during a run are left out.
struct PeriodicSchedule: Equatable {
    let interval: Duration
    /// The next time at which it is due.
    private(set) var due: Duration

    /// - Parameters:
    ///   - interval: More than zero.
    ///   - runsAtStart: Whether it is due at once, too.
    init(every interval: Duration, runsAtStart: Bool = false) {
        self.interval = interval
        due = runsAtStart ? .zero : interval
    }

    /// A run has ended: it is due next at the first of its times that has not passed.
    mutating func advance(now: Duration) {
        let late = max(.zero, now - due)
        due += interval * (late.attoseconds / interval.attoseconds + 1)
    }
}
