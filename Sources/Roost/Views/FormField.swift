/// One field of a form as a page shows it: its label, its value, and what is wrong with it. A partial makes HTML of it;
/// see ``FieldSet``.
public struct FormField: Sendable, Equatable {
    /// A choice of a `<select>`.
    package struct Choice: Sendable, Equatable, Encodable {
        /// The text that is sent.
        package let value: String
        /// The text that is shown.
        package let label: String
        /// Whether it is chosen.
        package var isSelected = false
    }

    /// The kinds of field that differ in their HTML.
    enum Kind: Sendable, Equatable {
        case input(String)
        case number(decimals: Int)
        case password, textArea, select, checkbox
    }

    /// The name under which it is sent.
    public let name: String
    /// The text beside it.
    public let label: String
    let kind: Kind
    /// The content: what is stored, or what was typed. That of a password or a file is always empty.
    public var value = ""
    /// Whether the content was typed, and is shown as it is.
    private var isTyped = false
    /// The message about its mistake; nil if it has none.
    public var error: String?
    /// Whether it is the first with an error, where a person goes on.
    package internal(set) var isFirstError = false
    /// Whether it must be filled in.
    package private(set) var isRequired = false
    /// A remark that is shown with it; empty if there is none.
    package private(set) var hint = ""
    /// The choices of a `<select>`.
    package private(set) var choices: [Choice] = []
    private var pairs: [Pair] = []
    private let maximumBytes: Int

    private struct Pair: Sendable, Equatable, Encodable {
        let name: String
        let value: String
    }

    private init(
        _ name: String, _ label: String, _ kind: Kind, length: Int? = nil, bytes: Int? = nil,
        _ attributes: KeyValuePairs<String, String>
    ) {
        (self.name, self.label, self.kind) = (name, label, kind)
        pairs = attributes.map { Pair(name: $0.key, value: $0.value) }
        if let length { pairs.append(Pair(name: "maxlength", value: "\(length)")) }
        maximumBytes = bytes ?? 4 * (length ?? 4000)
    }

    /// A line of text.
    /// - Parameters:
    ///   - type: The type of the `<input>`, such as `email`, `tel`, `number`, `date`, `time` or `datetime-local`.
    ///   - length: The most characters (`maxlength`).
    ///   - bytes: The most bytes of a typed text that are shown again; nil means four for each of `length` characters,
    ///     or of 4,000 if `length` is nil.
    public static func text(
        _ name: String, _ label: String, type: String = "text", length: Int? = nil, bytes: Int? = nil,
        _ attributes: KeyValuePairs<String, String> = [:]
    ) -> FormField {
        FormField(name, label, .input(type), length: length, bytes: bytes, attributes)
    }

    /// A number in the notation of the visitor's language, which a ``LocalNumber`` of the input reads. A stored number
    /// is shown in that notation, too.
    /// - Parameter decimals: The minimum number of decimals that are shown: 2 for a price.
    public static func number(
        _ name: String, _ label: String, decimals: Int = 0, _ attributes: KeyValuePairs<String, String> = [:]
    ) -> FormField {
        var field = FormField(name, label, .number(decimals: min(max(decimals, 0), 9)), length: 60, attributes)
        field.pairs.append(Pair(name: "inputmode", value: "decimal"))
        return field
    }

    /// A password, which is never shown again.
    public static func password(
        _ name: String, _ label: String, _ attributes: KeyValuePairs<String, String> = [:]
    ) -> FormField {
        FormField(name, label, .password, attributes)
    }

    /// A file that is sent with the form, whose `enctype` must be `multipart/form-data`. No page can show it again.
    /// - Parameter accept: The types of file that browsers offer, such as `image/*`; nil for any.
    public static func file(
        _ name: String, _ label: String, accept: String? = nil, _ attributes: KeyValuePairs<String, String> = [:]
    ) -> FormField {
        var field = FormField(name, label, .input("file"), attributes)
        if let accept { field.pairs.append(Pair(name: "accept", value: accept)) }
        return field
    }

    /// A text of several lines.
    ///
    /// A sent form may have 16 KiB (``ServerConfiguration/maximumFormSize``), percent-encoded: a Cyrillic character
    /// takes 6 bytes, a Chinese one 9. For more, let its route allow 9 bytes for each character of its fields:
    ///
    ///     routes.post(Self.all, body: .collectedUpTo(64 << 10), use: create)
    ///
    /// - Parameter length: The most characters (`maxlength`); nil for 4,000.
    public static func textArea(
        _ name: String, _ label: String, length: Int? = nil, _ attributes: KeyValuePairs<String, String> = [:]
    ) -> FormField {
        FormField(name, label, .textArea, length: length ?? 4000, attributes)
    }

    /// A choice of one of several values, each with the text that is shown for it.
    public static func select(
        _ name: String, _ label: String, _ choices: KeyValuePairs<String, String>,
        _ attributes: KeyValuePairs<String, String> = [:]
    ) -> FormField {
        select(name, label, choices.map { ($0.key, $0.value) }, attributes)
    }

    /// A choice of one of several values that are known only at run time, such as the rows of a table:
    ///
    ///     .select("doctor", "Doctor", doctors.map { ("\($0.id)", $0.name) })
    ///
    /// - Parameter choices: Each value that can be sent, with the text that is shown for it.
    public static func select(
        _ name: String, _ label: String, _ choices: [(String, String)],
        _ attributes: KeyValuePairs<String, String> = [:]
    ) -> FormField {
        var field = FormField(name, label, .select, attributes)
        field.choices = choices.map { Choice(value: $0.0, label: $0.1) }
        return field
    }

    /// A box to be ticked, which sends `true`.
    public static func checkbox(
        _ name: String, _ label: String, _ attributes: KeyValuePairs<String, String> = [:]
    ) -> FormField {
        FormField(name, label, .checkbox, attributes)
    }

    /// The same field, which must be filled in.
    public var required: FormField {
        var field = self
        field.isRequired = true
        return field
    }

    /// Returns the same field with a hint, such as the rules for a password.
    public func hint(_ text: String) -> FormField {
        var field = self
        field.hint = text
        return field
    }

    /// Whether it sends nothing unless it is ticked.
    var isBox: Bool { kind == .checkbox }

    /// The field with a text that was stored, or typed. No person typed a text that is far too long, so such a one is
    /// cut, between two characters. A stored one never is, because the form would store what is left of it, except for
    /// what its kind of field cannot hold.
    func showing(_ text: String, isTyped: Bool = false) -> FormField {
        var field = self
        field.isTyped = isTyped
        switch kind {
        case .password, .input("file"): field.value = ""
        case .input("date") where text.utf8.count > 10: field.value = String(text.prefix(10))
        case .input("datetime-local") where text.hasSuffix("Z"): field.value = Self.localTime(text)
        default: field.value = isTyped ? text.prefix(bytes: maximumBytes) : text
        }
        for index in choices.indices {
            field.choices[index].isSelected = ExactText(choices[index].value) == ExactText(text)
        }
        // Without it, a browser would send the first choice instead of a text that is none, or none any more.
        if kind == .select, !text.isEmpty, !field.choices.contains(where: \.isSelected) {
            field.choices.append(Choice(value: field.value, label: field.value, isSelected: true))
        }
        return field
    }

    /// A time in UTC as such a field holds it: to the minute if its seconds are 0, and to the millisecond at most.
    /// Steps of a minute do not forbid the seconds, because they are counted from the `value` itself; a field with a
    /// `min` needs `step` as well (WHATWG HTML §4.10.5.3.8).
    private static func localTime(_ text: String) -> String {
        let time = text.dropLast().prefix(23)
        return String(time.utf8.count == 19 && time.hasSuffix(":00") ? time.dropLast(3) : time)
    }
}

extension FormField: Encodable {
    private enum CodingKeys: String, CodingKey {
        case name, label, type, value, error, isFirstError, isRequired, hint, describedBy, attributes, choices
        case isInput, isPassword, isTextArea, isSelect, isCheckbox, isChecked
    }

    /// Writes all members, even those that are nil: otherwise a template would find namesakes in the page.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(name, forKey: .name)
        try members.encode(label, forKey: .label)
        try members.encode(shown(to: encoder), forKey: .value)
        try members.encode(error, orFalseFor: .error)
        try members.encode(isFirstError, forKey: .isFirstError)
        try members.encode(isRequired, forKey: .isRequired)
        try members.encode(pairs, forKey: .attributes)
        try members.encode(choices, forKey: .choices)
        if type(of: kind) == .isInput {
            var shown = "text"
            if case .input(let type) = kind { shown = type }
            try members.encode(shown, forKey: .type)
        }
        let remarks = [hint.isEmpty ? nil : "\(name)-hint", error == nil ? nil : "\(name)-error"].compactMap { $0 }
        try members.encode(remarks.isEmpty ? nil : remarks.joined(separator: " "), orFalseFor: .describedBy)
        try members.encode(hint.isEmpty ? nil : hint, orFalseFor: .hint)
        try members.encode(type(of: kind) == .isInput, forKey: .isInput)
        for key in [CodingKeys.isPassword, .isTextArea, .isSelect, .isCheckbox] {
            try members.encode(type(of: kind) == key, forKey: key)
        }
        try members.encode(kind == .checkbox && (FormDecoder.boolean(value) ?? true), forKey: .isChecked)
    }

    /// The content as a page shows it: a stored number is written so that it can be read again.
    private func shown(to encoder: any Encoder) -> String {
        guard case .number(let decimals) = kind, !isTyped, let number = DecimalNumber(value) else { return value }
        let format = TapeEncoder.language.flatMap { encoder.userInfo[$0] } as? LanguageFormat
        return (format ?? MessageTable.english.format).input(number.rounded(to: decimals...DecimalNumber.mostDecimals))
    }

    private func type(of kind: Kind) -> CodingKeys {
        switch kind {
        case .input, .number: .isInput
        case .password: .isPassword
        case .textArea: .isTextArea
        case .select: .isSelect
        case .checkbox: .isCheckbox
        }
    }
}

extension KeyedEncodingContainer {
    /// Writes a text, or `false` for nil.
    mutating func encode(_ text: String?, orFalseFor key: Key) throws {
        if let text { try encode(text, forKey: key) } else { try encode(false, forKey: key) }
    }
}
