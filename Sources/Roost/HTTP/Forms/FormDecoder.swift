import FoundationEssentials

// A form's fields → a `Decodable` input type. Flat on purpose: an input type of a form has texts, numbers, booleans,
// dates, and lists of these; nesting by brackets is a convention that invites too much.

/// Decodes values from forms.
struct FormDecoder: Decoder {
    private let fields: FormFields
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// A value decoded from a form.
    /// - Throws: `DecodingError` when a field is missing or is not a value of its type.
    static func decode<Value: Decodable>(_ type: Value.Type, from form: Form) throws -> Value {
        // Names become the keys of dictionaries.
        if form.fields.contains(where: { CombiningMarks.areTooMany(in: $0.name) }) {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "A name has too many combining marks in a row."))
        }
        return try Value(from: FormDecoder(fields: FormFields(form)))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Fields(fields: fields))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Self.unsupported([]) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Self.unsupported([]) }

    static func unsupported(_ path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(.init(codingPath: path, debugDescription: "A form has only names and values."))
    }

    private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let fields: FormFields
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { fields.names.compactMap { Key(stringValue: $0) } }

        func contains(_ key: Key) -> Bool { !fields[key.stringValue].isEmpty }

        /// An empty field counts as absent for an optional value: browsers send every field of a form.
        func decodeNil(forKey key: Key) -> Bool { fields[key.stringValue].first?.isEmpty ?? true }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            let values = fields[key.stringValue]
            // Browsers send nothing for a box that is not ticked, or for a list without a choice.
            let canBeMissing = type is any ExpressibleByArrayLiteral.Type || type == Bool.self
            guard !values.isEmpty || canBeMissing else {
                throw DecodingError.keyNotFound(key, .init(codingPath: [], debugDescription: "The field is missing."))
            }
            return try FieldDecoder(values: values, codingPath: [key]).decode(type)
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { throw FormDecoder.unsupported([key]) }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            throw FormDecoder.unsupported([key])
        }

        func superDecoder() throws -> any Decoder { throw FormDecoder.unsupported([]) }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw FormDecoder.unsupported([key]) }
    }
}

/// The values of one name.
private struct FieldDecoder: Decoder, SingleValueDecodingContainer {
    let values: [String]
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    private var text: String { values.first ?? "" }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw FormDecoder.unsupported(codingPath)
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { FieldList(values: values, codingPath: codingPath) }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { text.isEmpty }
    func decode(_ type: String.Type) -> String { text }

    /// A ticked box sends `on` unless its form states otherwise.
    func decode(_ type: Bool.Type) throws -> Bool {
        switch text {
        case "on", "true", "1": return true
        case "off", "false", "0", "": return false
        default: throw mismatch(type)
        }
    }

    func decode(_ type: Double.Type) throws -> Double { try finite(number(type)) }
    func decode(_ type: Float.Type) throws -> Float { try finite(number(type)) }
    func decode(_ type: Int.Type) throws -> Int { try number(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try number(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try number(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try number(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try number(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try number(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try number(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try number(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try number(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try number(type) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard type == Date.self else { return try Value(from: self) }
        guard let date = FormDate.parse(text) as? Value else {
            let example = "2026-01-31 or 2026-01-31T12:00:00Z"
            throw DecodingError.typeMismatch(
                type, .init(codingPath: codingPath, debugDescription: "The field is not a date like \(example)."))
        }
        return date
    }

    private func number<Value: LosslessStringConvertible>(_ type: Value.Type) throws -> Value {
        guard let value = Value(text) else { throw mismatch(type) }
        return value
    }

    /// Refuses `nan` and `inf`: the author of a form does not expect them, and JSON cannot express them.
    private func finite<Value: FloatingPoint>(_ value: Value) throws -> Value {
        guard value.isFinite else { throw mismatch(Value.self) }
        return value
    }

    private func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "The field is not a valid \(type)."))
    }
}

/// Several values of one name, in order.
private struct FieldList: UnkeyedDecodingContainer {
    let values: [String]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(values: [String], codingPath: [any CodingKey]) {
        self.values = values
        self.codingPath = codingPath
    }

    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex == values.count }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(type, .init(codingPath: codingPath, debugDescription: "No more values."))
        }
        defer { currentIndex += 1 }
        return try FieldDecoder(values: [values[currentIndex]], codingPath: codingPath).decode(type)
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw FormDecoder.unsupported(codingPath)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw FormDecoder.unsupported(codingPath)
    }

    mutating func superDecoder() throws -> any Decoder { throw FormDecoder.unsupported(codingPath) }
}
