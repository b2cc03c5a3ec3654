/// Writes one `Encodable` value into a cell of the ``ValueTape``. It is the encoder and its single-value container.
///
/// It is two words, so an `any Encoder` holds it without allocating memory.
struct TapeEncoder: Encoder, SingleValueEncodingContainer {
    let tape: ValueTape
    let cell: UInt32

    var codingPath: [any CodingKey] { tape.codingPath(to: cell) }
    var userInfo: [CodingUserInfoKey: Any] {
        guard let key = Self.language, let language = tape.language else { return tape.userInfo }
        return [key: language]
    }

    /// The key of the language in `userInfo`.
    static let language = CodingUserInfoKey(rawValue: "Roost.language")

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        tape.containers.container(keyedBy: type, tape, tape.open(cell, as: .object) ? cell : refuse())
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        TapeList(tape: tape, cell: tape.open(cell, as: .list) ? cell : refuse())
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// The cell that nobody reads, for a second value in one place. The protocol lets no error be thrown here, so it
    /// fails the tape.
    private func refuse() -> UInt32 {
        if cell != 0 { tape.fail(tape.second(at: cell)) }
        return 0
    }

    /// An encoder that refuses every value, for a container that is used after its value was encoded.
    static var refusing: TapeEncoder { TapeEncoder(tape: ValueTape(), cell: 0) }

    // MARK: A single value

    /// The cell, if nothing has been written there.
    @inline(__always)
    private var vacant: UInt32 {
        get throws {
            guard tape.cells[Int(cell)].kind == .vacant, cell != 0 else { throw tape.second(at: cell) }
            return cell
        }
    }

    func encodeNil() throws { tape.set(try vacant, .null) }
    func encode(_ value: Bool) throws { tape.set(try vacant, value) }
    func encode(_ value: String) throws { tape.set(try vacant, value) }
    func encode(_ value: Double) throws { tape.set(try vacant, value) }
    func encode(_ value: Float) throws { tape.set(try vacant, value) }
    func encode(_ value: Int) throws { tape.set(try vacant, Int64(value)) }
    func encode(_ value: Int128) throws { tape.set(try vacant, value.description, as: .digits) }
    func encode(_ value: UInt128) throws { tape.set(try vacant, value.description, as: .digits) }
    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) throws { tape.set(try vacant, integer: value) }
    func encode(function: Any) throws { tape.set(try vacant, function: function) }

    /// Writes a value. If that throws, another may be written instead.
    func encode<Value: Encodable>(_ value: Value) throws {
        let cell = try vacant
        do {
            try tape.write(value, to: cell)
        } catch {
            tape.set(cell, .vacant)
            throw error
        }
    }
}

extension ValueTape {
    /// Writes an integer of up to 64 bits.
    @inline(__always)
    func set(_ cell: UInt32, integer value: some FixedWidthInteger) {
        if let signed = Int64(exactly: value) { set(cell, signed) } else { set(cell, .uint, UInt64(clamping: value)) }
    }

    /// Writes the shortest digits that mean this `Float`. Those of the `Double` of the same value would be more.
    func set(_ cell: UInt32, _ value: Float) {
        guard value.isFinite else { return set(cell, Double(value)) }
        let start = text.count
        text.append(shortest: value)
        text.reserve(ByteBuffer.padding)
        set(cell, .digits, UInt64(start))
        cells[Int(cell)].count = UInt32(text.count - start)
    }

    /// The error for a second value in one place.
    func second(at cell: UInt32) -> any Error {
        EncodingError.invalidValue(
            (),
            .init(codingPath: codingPath(to: cell), debugDescription: "A second value was written in one place."))
    }
}
