import FoundationEssentials

/// Writes one `Encodable` value into a cell of the ``TemplateTape``.
///
/// An encoder is two words, the tape and a cell, so an `any Encoder` holds it without allocating memory. So are its
/// containers, except the keyed one, which is a class and is reused (``KeyedContainers``).
///
/// A field that no template names is not encoded, unless it is a plain value, or a lambda could ask for it. A value
/// that also writes itself (``TemplateData``) does so wherever it stands, as it does as a page.
struct TemplateEncoder: Encoder {
    let tape: TemplateTape
    let cell: UInt32

    var codingPath: [any CodingKey] { tape.codingPath(to: cell) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        tape.open(cell, as: .object)
        return tape.containers.container(keyedBy: type, at: cell) {
            KeptContainerOf(TemplateKeyedContainer<Key>(tape, at: cell))
        }
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        tape.open(cell, as: .list)
        return TemplateUnkeyedContainer(tape: tape, cell: cell)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        TemplateValueContainer(tape: tape, cell: cell)
    }

    /// Writes a value whose type is only known now.
    func write(any value: any Encodable) throws { try write(value, of: type(of: value)) }

    /// Writes a value of any type. Dates, URLs and `Decimal`s are written as text, instead of what they would encode. A
    /// value that writes itself does so.
    @inline(__always)
    func write<Value: Encodable>(_ value: Value) throws { try write(value, of: Value.self) }

    @inline(__always)
    private func write<Value: Encodable>(_ value: Value, of type: any Any.Type) throws {
        if Value.self == Date.self || Value.self == URL.self || Value.self == Decimal.self {
            return writeSpecial(value)
        }
        if let type = tape.types.value(of: type, { type as? any TemplateData.Type }).pointee {
            return type.write(value, to: TemplateSlot(tape: tape, root: cell))
        }
        guard tape.depth < tape.limits.depth else {
            throw TemplateError.tooDeep(tape.limits)
        }
        tape.depth &+= 1
        defer { tape.depth &-= 1 }
        try value.encode(to: self)
    }

    /// A date is written as ISO 8601 in UTC, a URL as its text, a `Decimal` as its digits.
    @inline(never)
    private func writeSpecial(_ value: some Encodable) {
        switch value {
        case let date as Date: writeDate(date)
        case let url as URL: tape.set(cell, url.absoluteString)
        case let decimal as Decimal: tape.set(cell, decimal.description)
        default: break
        }
    }

    private func writeDate(_ date: Date) {
        guard let text = DateTime.text(date) else {
            return tape.fail(TemplateError("a date outside the years 0000 to 9999 has no ISO 8601 form"))
        }
        tape.set(cell, text)
    }
}

extension TemplateData {
    /// Writes values that are of this type.
    fileprivate static func write<Values>(_ values: Values, to slot: TemplateSlot) {
        if Values.self == Self.self { return unsafeBitCast(values, to: Self.self).write(to: slot) }
        // An object whose class is only known by its superclass.
        (values as? Self)?.write(to: slot)
    }
}

/// Writes a single value into a cell.
struct TemplateValueContainer: SingleValueEncodingContainer {
    let tape: TemplateTape
    let cell: UInt32

    var codingPath: [any CodingKey] { tape.codingPath(to: cell) }

    func encodeNil() { tape.set(cell, .null, 0) }
    func encode(_ value: Bool) { tape.set(cell, value) }
    func encode(_ value: String) { tape.set(cell, value) }
    func encode(_ value: Double) { tape.set(cell, value) }
    func encode(_ value: Float) { tape.set(cell, value) }
    func encode(_ value: Int) { tape.set(cell, Int64(value)) }
    func encode(_ value: Int8) { tape.set(cell, Int64(value)) }
    func encode(_ value: Int16) { tape.set(cell, Int64(value)) }
    func encode(_ value: Int32) { tape.set(cell, Int64(value)) }
    func encode(_ value: Int64) { tape.set(cell, value) }
    func encode(_ value: Int128) { tape.set(cell, value.description) }
    func encode(_ value: UInt) { tape.set(cell, .uint, UInt64(value)) }
    func encode(_ value: UInt8) { tape.set(cell, Int64(value)) }
    func encode(_ value: UInt16) { tape.set(cell, Int64(value)) }
    func encode(_ value: UInt32) { tape.set(cell, Int64(value)) }
    func encode(_ value: UInt64) { tape.set(cell, .uint, value) }
    func encode(_ value: UInt128) { tape.set(cell, value.description) }
    func encode(_ value: some Encodable) throws { try TemplateEncoder(tape: tape, cell: cell).write(value) }
}

extension TemplateTape {
    /// Writes the shortest digits that mean this `Float`. Those of the `Double` of the same value would be more.
    func set(_ cell: UInt32, _ value: Float) {
        if let exact = Int64(exactly: value) { set(cell, exact) } else { set(cell, value.description) }
    }
}
