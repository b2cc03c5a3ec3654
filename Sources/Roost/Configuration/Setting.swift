/// One value that a program reads from its environment when it starts: its name, its type and its default.
///
///     static let pictureLimit = Setting<Int>("PICTURE_LIMIT", default: 5, in: 1...100)
///     static let mailKey = Setting<String?>("MAIL_KEY", default: nil, isSecret: true)
///
/// A ``SettingsReader`` reads it. A variable that is empty counts as not set.
public struct Setting<Value: Sendable>: Sendable {
    /// The name of the environment variable.
    public let name: String
    /// The value if the variable is not set.
    package let `default`: Value
    let isSecret: Bool
    let read: @Sendable (String) -> Value?
    let write: @Sendable (Value) -> String
    /// A phrase for the values that it takes: `a whole number from 1 to 100`.
    let expectation: String
    /// Whether a value that a program has set is one that the variable could have.
    var accepts: @Sendable (Value) -> Bool = { _ in true }

    /// A setting of any type.
    /// - Parameters:
    ///   - expectation: A phrase for the valid values, used in the message about any other value: `set it to …`.
    ///   - isSecret: Whether the value is secret: `App config` and messages mask it.
    ///   - write: Returns the text of a value, as the variable would contain it.
    ///   - read: Returns the value of a text; nil if the text is not valid.
    public init(
        _ name: String,
        default value: Value,
        expectation: String,
        isSecret: Bool = false,
        write: @escaping @Sendable (Value) -> String = { "\($0)" },
        read: @escaping @Sendable (String) -> Value?
    ) {
        self.name = name
        self.default = value
        self.isSecret = isSecret
        self.read = read
        self.write = write
        self.expectation = expectation
    }
}

extension Setting {
    /// The error for a text that it does not take.
    func mistake(_ text: String) -> String {
        "\(name) is \(isSecret ? "not usable" : "\"\(text)\""); set it to \(expectation)."
    }

    /// The value that some variables give it.
    func value(in variables: [String: String]) throws(StartError) -> Value {
        guard let text = variables[name], !text.isEmpty else { return self.default }
        guard let value = read(text) else { throw .configuration(mistake(text)) }
        return value
    }
}

extension Setting<String> {
    /// Any text.
    public init(_ name: String, default value: String, isSecret: Bool = false) {
        self.init(name, default: value, expectation: "a text", isSecret: isSecret) { $0 }
    }
}

extension Setting<String?> {
    /// Any text, or nil when it is not set.
    public init(_ name: String, default value: String? = nil, isSecret: Bool = false) {
        self.init(name, default: value, expectation: "a text", isSecret: isSecret, write: { $0 ?? "" }, read: { $0 })
    }
}

extension Setting<Bool> {
    /// `on` or `off`; also `true` and `false`, `1` and `0`.
    public init(_ name: String, default value: Bool) {
        self.init(name, default: value, expectation: "on or off", write: { $0 ? "on" : "off" }) { text in
            ["on": true, "true": true, "1": true, "off": false, "false": false, "0": false][text]
        }
    }

    /// `1` or `0`.
    package static func zeroOrOne(_ name: String, default value: Bool) -> Setting {
        Setting(name, default: value, expectation: "0 or 1", write: { $0 ? "1" : "0" }) { ["0": false, "1": true][$0] }
    }
}

extension Setting<[String]> {
    /// Texts separated by commas; blanks around them are ignored.
    public init(_ name: String, default value: [String] = []) {
        self.init(
            name, default: value, expectation: "texts with commas", write: { $0.joined(separator: ",") }
        ) { $0.listed }
    }
}

extension String {
    /// The texts that have commas between them; blanks around them do not count.
    package var listed: [String] {
        utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0).trimmingBlanks()) }
    }
}

extension Setting where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of a few words: the cases of an enumeration.
    public init(_ name: String, default value: Value) {
        let words = Value.allCases.map(\.rawValue)
        let first = words.dropLast().joined(separator: ", ")
        let list = [first, words.last ?? ""].filter { !$0.isEmpty }.joined(separator: " or ")
        self.init(name, default: value, expectation: list, write: { $0.rawValue }) { Value(rawValue: $0) }
    }
}

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

extension Setting {
    /// The same setting, or a word for none.
    /// - Parameter value: The value if the variable is not set.
    package func or(_ word: String, default value: Value?) -> Setting<Value?> {
        var setting = Setting<Value?>(
            name, default: value, expectation: "\(word) or to \(expectation)", isSecret: isSecret,
            write: { $0.map(write) ?? word }
        ) { text in
            text == word ? .some(nil) : read(text).map { .some($0) }
        }
        setting.accepts = { $0.map(accepts) ?? true }
        return setting
    }
}
