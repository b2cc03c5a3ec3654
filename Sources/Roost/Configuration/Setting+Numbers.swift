extension Setting<Int> {
    /// A whole number of a range.
    public init(_ name: String, default value: Int, in range: ClosedRange<Int> = Int.min...Int.max) {
        self.init(name, default: value, WholeNumbers(range))
    }

    init(_ name: String, default value: Int, _ numbers: WholeNumbers) {
        self.init(name, default: value, expectation: numbers.expectation) { numbers.number($0) }
        accepts = { numbers.range.contains($0) }
    }
}

extension Setting<Duration> {
    /// A time in whole seconds.
    public init(_ name: String, default value: Duration, in range: ClosedRange<Int> = 0...31_536_000) {
        self.init(name, default: value, WholeNumbers(range, of: .seconds))
    }

    init(_ name: String, default value: Duration, _ numbers: WholeNumbers) {
        self.init(name, default: value, expectation: numbers.expectation, write: { numbers.text($0) }) {
            numbers.number($0).map(numbers.duration)
        }
        accepts = { numbers.durations.contains($0) }
    }
}

extension Setting<Int?> {
    /// A whole number, or a word for none.
    init(_ name: String, default value: Int?, or word: String, _ numbers: WholeNumbers) {
        self.init(
            name, default: value, expectation: "\(word) or to \(numbers.expectation)",
            write: { $0.map { "\($0)" } ?? word }
        ) { text in
            if text == word { return .some(nil) }
            return numbers.number(text).map { .some($0) }
        }
        accepts = { $0.map { numbers.range.contains($0) } ?? true }
    }
}

extension Setting<Duration?> {
    /// A time, or a word for none.
    init(_ name: String, default value: Duration?, or word: String, _ numbers: WholeNumbers) {
        self.init(
            name, default: value, expectation: "\(word) or to \(numbers.expectation)",
            write: { $0.map { numbers.text($0) } ?? word }
        ) { text in
            if text == word { return .some(nil) }
            return numbers.number(text).map { .some(numbers.duration($0)) }
        }
        accepts = { $0.map { numbers.durations.contains($0) } ?? true }
    }
}
