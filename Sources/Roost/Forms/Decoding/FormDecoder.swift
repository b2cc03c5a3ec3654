import FoundationEssentials

// A form's fields → a `Decodable` input type. Flat on purpose: an input type of a form has texts, numbers, booleans,
// dates, URLs, files, and lists of these; nesting by brackets is a convention that invites too much.
//
// A fault in a field is noted, and decoding goes on with a placeholder, so that a person hears of all faults at once.

/// Decodes values from forms.
struct FormDecoder: Decoder {
    private let fields: FormFields
    private let faults: FormFaults
    private let strictNames: [String]
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// A value read from a form, and what is wrong with its fields. If anything is, the value is only good for finding
    /// out what else is; nil if none could be made.
    /// - Parameters:
    ///   - messages: The language in which numbers are typed.
    ///   - strictNames: The names of fields that are wrong if the type does not have them.
    ///   - isQuery: Whether the fields are the parameters of a query, of which an empty one is a value that is wrong.
    /// - Throws: The errors of the type's own initializer, other than a `DecodingError`.
    static func read<Value: Decodable>(
        _ type: Value.Type, from fields: FormFields, in messages: MessageTable = .english, strictNames: [String] = [],
        isQuery: Bool = false
    ) throws -> (value: Value?, faults: [FieldFault]) {
        let faults = FormFaults(in: messages, isQuery: isQuery)
        if let fault = fields.slowText { return (nil, [fault]) }
        let decoder = FormDecoder(fields: fields, faults: faults, strictNames: strictNames)
        do {
            let value = try Value(from: decoder)
            faults.refuseUnknown()
            return (value, faults.all)
        } catch let error as DecodingError {
            faults.note(error.field, error.isAboutName ? .unknown : Sentence(error.reason))
        } catch is FormFaults.Noted {
        }
        return (nil, faults.all)
    }

    /// A value decoded from a form.
    /// - Throws: ``HTTPError`` with 422 for fields that are missing or are not values of their types.
    static func decode<Value: Decodable>(_ type: Value.Type, from form: Form) throws -> Value {
        let (value, faults) = try read(type, from: FormFields(form))
        guard let value, faults.isEmpty else { throw HTTPError(.unprocessableContent, faults, .english) }
        return value
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        if !strictNames.isEmpty { faults.note(unknownTo: type, among: strictNames) }
        return KeyedDecodingContainer(Members(fields: fields, faults: faults))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Self.unsupported([]) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Self.unsupported([]) }

    /// Whether a value of a type may be missing where it must be there: browsers send nothing for a box that is not
    /// ticked, or for a list without a choice.
    static func canBeMissing(_ type: any Any.Type) -> Bool {
        type == Bool.self || type is any ExpressibleByArrayLiteral.Type
    }

    /// The value of a box's text; nil for one that is neither. A ticked box sends `on` unless its form states
    /// otherwise; a spreadsheet writes `TRUE`.
    static func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "on", "true", "1": true
        case "off", "false", "0", "": false
        default: nil
        }
    }

    static func unsupported(_ path: [any CodingKey]) -> DecodingError {
        let text = "A form has only names and values."
        return .dataCorrupted(.init(codingPath: path, debugDescription: text, underlyingError: UnsupportedShape()))
    }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let fields: FormFields
        let faults: FormFaults
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { fields.names.compactMap { Key(stringValue: $0) } }

        func contains(_ key: Key) -> Bool { fields.contains(key.stringValue) }

        /// An empty field counts as absent for an optional value: browsers send every field of a form.
        func decodeNil(forKey key: Key) -> Bool {
            (fields.value(key.stringValue)?.isEmpty ?? true) && fields.file(key.stringValue) == nil
        }

        /// A list is only absent if all its values are empty: of several fields with one name, the first may be.
        func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
            let isList = type is any ExpressibleByArrayLiteral.Type
            let isAbsent = isList ? fields.areEmpty(key.stringValue) : decodeNil(forKey: key)
            if isAbsent { return nil }
            do { return try decode(type, forKey: key) } catch is FormFaults.Noted { return nil }
        }

        func decode(_ type: String.Type, forKey key: Key) throws -> String {
            if let text = fields.value(key.stringValue) { return text }
            return try field(key).decodeKnown(type, isMissing: !contains(key))
        }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try field(key).decodeKnown(type, isMissing: !FormDecoder.canBeMissing(type) && !contains(key))
        }

        private func field(_ key: Key) -> FieldDecoder { FieldDecoder(fields, key.stringValue, faults) }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { throw FormDecoder.unsupported([key]) }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            throw FormDecoder.unsupported([key])
        }

        func superDecoder() throws -> any Decoder { throw FormDecoder.unsupported([]) }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw FormDecoder.unsupported([key]) }
    }
}

/// The values of one name, or one of several.
private final class FieldDecoder: Decoder, SingleValueDecodingContainer {
    private let fields: FormFields
    private let name: String
    private let number: Int
    private let faults: FormFaults

    init(_ fields: FormFields, _ name: String, _ faults: FormFaults, number: Int = 0) {
        self.fields = fields
        self.name = name
        self.number = number
        self.faults = faults
    }

    var codingPath: [any CodingKey] { [PathKey(stringValue: name)] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    /// The number of values of the name, or of its files if there are more.
    var count: Int { fields.count(name) }

    private var text: String { fields.value(name, number) ?? "" }
    private var file: UploadedFile? { fields.file(name, number) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw FormDecoder.unsupported(codingPath)
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { FieldList(field: self) }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }
    func decodeNil() -> Bool { text.isEmpty && file == nil }

    func decode(_ type: String.Type) throws -> String {
        guard fields.hasOnlyFile(name, number) else { return text }
        throw DecodingError.typeMismatch(type, .init(codingPath: codingPath, debugDescription: "This is a file."))
    }

    func decode(_ type: Bool.Type) throws -> Bool {
        try (fields.hasOnlyFile(name, number) ? nil : FormDecoder.boolean(text)) ?? wrong(type, Sentence.boolean)
    }

    func decode(_ type: Double.Type) throws -> Double { try number(type) }
    func decode(_ type: Float.Type) throws -> Float { try number(type) }

    func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
        if let value = Value(text) { return value }
        let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
        let isTooLarge = !digits.isEmpty && digits.utf8.allSatisfy(\.isDigit)
        guard isTooLarge else { return try wrong(type, Sentence.integer) }
        // The bounds of the widest types mean nothing to a person.
        guard Value.bitWidth < 64 else {
            return try wrong(type, text.hasPrefix("-") && !Value.isSigned ? Sentence.minimum(0) : Sentence.invalid)
        }
        return try wrong(type, Sentence.range(from: "\(Value.min)", to: "\(Value.max)"))
    }

    /// - Parameter isMissing: Whether the client has not sent what must be there.
    func decodeKnown<Value: Decodable>(_ type: Value.Type, isMissing: Bool) throws -> Value {
        isMissing ? try wrong(type, Sentence.required) : try decode(type)
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == UploadedFile.self { return try file as? Value ?? wrong(type, Sentence.file) }
        if type == LocalNumber.self {
            let messages = faults.messages
            return try LocalNumber(text, in: messages) as? Value ?? wrong(type, LocalNumber.mistake(in: messages))
        }
        if type == Date.self { return try DateTime.parse(input: text) as? Value ?? wrong(type, Sentence.date) }
        if type == Decimal.self { return try decimal as? Value ?? wrong(type, Sentence.number) }
        if type == URL.self { return try URL(string: text) as? Value ?? wrong(type, Sentence.invalid) }
        do {
            return try Value(from: self)
        } catch let error as DecodingError where !error.isAboutShape {
            return try wrong(type, Self.sentence(about: type))
        } catch let noted as FormFaults.Noted {
            guard let list = Placeholder.list(of: type) else { throw noted }
            return list
        }
    }

    private static func sentence(about type: any Any.Type) -> Sentence {
        switch type {
        case is String.Type: .noFile
        case is LocalDate.Type: .day
        case is LocalDateTime.Type: .localTime
        case is any RawRepresentable.Type: .choice
        default: .invalid
        }
    }

    /// Refuses `nan`, `inf` and `0x1F`: the author of a form does not expect them, and JSON cannot express them.
    private func number<Value: BinaryFloatingPoint & LosslessStringConvertible>(_ type: Value.Type) throws -> Value {
        guard !isHexadecimal, let value = Value(text), value.isFinite else { return try wrong(type, Sentence.number) }
        return value
    }

    private var isHexadecimal: Bool { text.utf8.contains { $0 | 0x20 == UInt8(ascii: "x") } }

    /// The number that a `Double` would be, with all its digits; `Decimal` itself reads as far as it can.
    private var decimal: Decimal? {
        guard !isHexadecimal, Double(text)?.isFinite == true else { return nil }
        return Decimal(string: text)
    }

    /// Notes what is wrong, and gives a value to go on with. Browsers send every field of a form: what is empty has not
    /// been filled in.
    func wrong<Value>(_ type: Value.Type, _ message: Sentence) throws -> Value {
        faults.note(name, decodeNil() && !faults.isQuery ? .required : message)
        if let file = UploadedFile(name: "", []) as? Value { return file }
        guard let value = Placeholder.value(of: type) else { throw FormFaults.Noted() }
        return value
    }

    /// One of several values or files.
    func element(_ index: Int) -> FieldDecoder { FieldDecoder(fields, name, faults, number: index) }
}

/// Several values or files of one name, in order.
private struct FieldList: UnkeyedDecodingContainer {
    let field: FieldDecoder
    private(set) var currentIndex = 0

    init(field: FieldDecoder) { self.field = field }

    var codingPath: [any CodingKey] { field.codingPath }
    var count: Int? { field.count }
    var isAtEnd: Bool { currentIndex == count }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(type, .init(codingPath: codingPath, debugDescription: "No more values."))
        }
        defer { currentIndex += 1 }
        return try field.element(currentIndex).decode(type)
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw FormDecoder.unsupported(codingPath)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw FormDecoder.unsupported(codingPath)
    }

    mutating func superDecoder() throws -> any Decoder { throw FormDecoder.unsupported(codingPath) }
}

extension DecodingError {
    /// The place and the reason, which every kind of error has.
    package var context: Context? {
        switch self {
        case .keyNotFound(_, let context), .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }

    /// The name of the field that is missing or wrong; nil when it is about the form.
    fileprivate var field: String? {
        if case .keyNotFound(let key, _) = self { return key.stringValue }
        return context?.codingPath.last?.stringValue
    }

    fileprivate var reason: String { context?.debugDescription ?? Sentence.invalid.template }

    /// Whether the name of a field is none that a dictionary's type of key has. Only its text says so, and names a
    /// Swift type; RequestDecodingTests fails if another toolchain has another.
    fileprivate var isAboutName: Bool {
        reason.hasPrefix("Could not convert key ") || reason.hasPrefix("Expected Int key")
    }

    /// Whether the input type asks for what no form has: a mistake of the program, which its author should read.
    fileprivate var isAboutShape: Bool { context?.underlyingError is UnsupportedShape }
}

/// The input type asks for what no form has.
private struct UnsupportedShape: Error {}
