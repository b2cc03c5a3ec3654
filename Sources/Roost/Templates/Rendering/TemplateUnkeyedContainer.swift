/// Writes the elements of a list.
struct TemplateUnkeyedContainer: UnkeyedEncodingContainer {
    let tape: TemplateTape
    let cell: UInt32

    var codingPath: [any CodingKey] { tape.codingPath(to: cell) }
    var count: Int { Int(tape.cells[Int(cell)].count) }

    @inline(__always)
    private func element() -> TemplateValueContainer {
        TemplateValueContainer(tape: tape, cell: tape.add(0, to: cell))
    }

    func encodeNil() { _ = element() }
    func encode(_ value: Bool) { element().encode(value) }
    func encode(_ value: String) { element().encode(value) }
    func encode(_ value: Double) { element().encode(value) }
    func encode(_ value: Float) { element().encode(value) }
    func encode(_ value: Int) { element().encode(value) }
    func encode(_ value: Int8) { element().encode(value) }
    func encode(_ value: Int16) { element().encode(value) }
    func encode(_ value: Int32) { element().encode(value) }
    func encode(_ value: Int64) { element().encode(value) }
    func encode(_ value: Int128) { element().encode(value) }
    func encode(_ value: UInt) { element().encode(value) }
    func encode(_ value: UInt8) { element().encode(value) }
    func encode(_ value: UInt16) { element().encode(value) }
    func encode(_ value: UInt32) { element().encode(value) }
    func encode(_ value: UInt64) { element().encode(value) }
    func encode(_ value: UInt128) { element().encode(value) }

    func encode(_ value: some Encodable) throws {
        try TemplateEncoder(tape: tape, cell: tape.add(0, to: cell)).write(value)
    }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        TemplateEncoder(tape: tape, cell: tape.add(0, to: cell)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        TemplateEncoder(tape: tape, cell: tape.add(0, to: cell)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { TemplateEncoder(tape: tape, cell: tape.add(0, to: cell)) }
}
