/// The whole numbers that a setting takes, and what they count.
struct WholeNumbers: Sendable {
    /// The unit of whole numbers; `things` are counted, not measured.
    enum Unit: String, Sendable { case things, bytes, seconds, milliseconds }

    let range: ClosedRange<Int>
    let unit: Unit

    init(_ range: ClosedRange<Int>, of unit: Unit = .things) {
        self.range = range
        self.unit = unit
    }

    /// The phrase for these values: `a whole number of seconds from 1 to 86400`.
    var expectation: String {
        let unit = unit == .things ? "" : " of \(unit.rawValue)"
        let limits = range == Int.min...Int.max ? "" : " from \(range.lowerBound) to \(range.upperBound)"
        return "a whole number" + unit + limits
    }

    /// The number of a text; nil if it is none of them.
    func number(_ text: String) -> Int? { Int(text).flatMap { range.contains($0) ? $0 : nil } }

    /// A time of so many of the unit.
    func duration(_ number: Int) -> Duration { unit == .milliseconds ? .milliseconds(number) : .seconds(number) }

    /// The times between the ends of the range, also those that are no whole number of the unit.
    var durations: ClosedRange<Duration> { duration(range.lowerBound)...duration(range.upperBound) }

    /// The text of a time: its number, or, if that is not whole, the time with its unit.
    func text(_ time: Duration) -> String {
        let number = Int(exactly: (time / duration(1)).rounded(.towardZero))
        guard let number, duration(number) == time else { return "\(time)" }
        return String(number)
    }
}
