/// The unkeyed container of a ``TapeEncoder``: it writes the elements of a list.
struct TapeList: UnkeyedEncodingContainer {
    let tape: ValueTape
    let cell: UInt32

    var codingPath: [any CodingKey] { tape.codingPath(to: cell) }
    var count: Int { Int(tape.cells[Int(cell)].count) }

    /// The cell of a new element.
    @inline(__always)
    private func element() -> UInt32 { tape.add(0, to: cell) }

    func encodeNil() { tape.set(element(), .null) }
    func encode(_ value: Bool) { tape.set(element(), value) }
    func encode(_ value: String) { tape.set(element(), value) }
    func encode(_ value: Double) { tape.set(element(), value) }
    func encode(_ value: Float) { tape.set(element(), value) }
    func encode(_ value: Int) { tape.set(element(), Int64(value)) }
    func encode(_ value: Int128) { tape.set(element(), value.description, as: .digits) }
    func encode(_ value: UInt128) { tape.set(element(), value.description, as: .digits) }
    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) { tape.set(element(), integer: value) }
    func encode<Value: Encodable>(_ value: Value) throws { try tape.add(0, to: cell, value) }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        TapeEncoder(tape: tape, cell: element()).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        TapeEncoder(tape: tape, cell: element()).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { TapeEncoder(tape: tape, cell: element()) }
}
