/// A property of ``ServerConfiguration`` that an environment variable can set: a whole number of things, bytes, or
/// units of time; for some of them a word instead.
struct ServerSetting: Sendable {
    /// What the variable sets. An optional one has a word for nil.
    enum Property: Sendable {
        case number(any WritableKeyPath<ServerConfiguration, Int> & Sendable)
        case optionalNumber(any WritableKeyPath<ServerConfiguration, Int?> & Sendable, word: String)
        case time(any WritableKeyPath<ServerConfiguration, Duration> & Sendable)
        case optionalTime(any WritableKeyPath<ServerConfiguration, Duration?> & Sendable, word: String)
    }

    /// What its numbers count.
    enum Unit: String, Sendable {
        case things
        case bytes
        case seconds
        case milliseconds

        /// A time of so many of these.
        func duration(_ number: Int) -> Duration { self == .milliseconds ? .milliseconds(number) : .seconds(number) }
    }

    let variable: String
    let property: Property
    /// The numbers that it may have, in its unit.
    let range: ClosedRange<Int>
    var unit = Unit.things

    /// Gives the property the value that its variable has, if it is set and valid.
    func read(_ reader: inout SettingsReader, into configuration: inout ServerConfiguration) {
        let read = reader.read(variable, default: text(in: configuration)) { variables throws(StartError) in
            var changed = configuration
            if let text = variables[variable], !text.isEmpty { try set(text, in: &changed) }
            return changed
        }
        if let read { configuration = read }
    }

    /// Gives the property the value that a variable has.
    /// - Throws: ``StartError/configuration(_:)`` for a text that is no number of its range, and not its word.
    func set(_ text: String, in configuration: inout ServerConfiguration) throws(StartError) {
        let number = text == word ? nil : Int(text)
        guard text == word || number.map(range.contains) ?? false else { throw error(text) }
        switch property {
        case .number(let path): if let number { configuration[keyPath: path] = number }
        case .optionalNumber(let path, _): configuration[keyPath: path] = number
        case .time(let path): if let number { configuration[keyPath: path] = unit.duration(number) }
        case .optionalTime(let path, _): configuration[keyPath: path] = number.map(unit.duration)
        }
    }

    /// The value that the variable would have.
    func text(in configuration: ServerConfiguration) -> String {
        switch property {
        case .number(let path): String(configuration[keyPath: path])
        case .optionalNumber(let path, let word): configuration[keyPath: path].map(String.init) ?? word
        case .time(let path): text(configuration[keyPath: path])
        case .optionalTime(let path, let word): configuration[keyPath: path].map(text) ?? word
        }
    }

    /// Checks what the program has set.
    /// - Throws: ``StartError/configuration(_:)`` for a value that is out of its range.
    func validate(_ configuration: ServerConfiguration) throws(StartError) {
        let isValid =
            switch property {
            case .number(let path): range.contains(configuration[keyPath: path])
            case .optionalNumber(let path, _): configuration[keyPath: path].map(range.contains) ?? true
            case .time(let path): times.contains(configuration[keyPath: path])
            case .optionalTime(let path, _): configuration[keyPath: path].map(times.contains) ?? true
            }
        if !isValid { throw error(text(in: configuration)) }
    }

    private var times: ClosedRange<Duration> { unit.duration(range.lowerBound)...unit.duration(range.upperBound) }

    private var word: String? {
        switch property {
        case .number, .time: nil
        case .optionalNumber(_, let word), .optionalTime(_, let word): word
        }
    }

    private func text(_ duration: Duration) -> String {
        let number = Int(exactly: (duration / unit.duration(1)).rounded(.towardZero))
        guard let number, unit.duration(number) == duration else { return "\(duration)" }
        return String(number)
    }

    private func error(_ text: String) -> StartError {
        let alternative = word.map { "\($0) or to " } ?? ""
        let unit = unit == .things ? "" : " of \(unit.rawValue)"
        return .configuration(
            "\(variable) is \"\(text)\"; set it to \(alternative)a whole number\(unit) "
                + "from \(range.lowerBound) to \(range.upperBound)."
        )
    }
}
