/// The object that a ``SelfWriting`` value writes. It takes fields until `write(to:)` returns.
///
/// No field needs `try`: should one fail, the encoding or rendering throws the first error afterwards.
public struct Fields: ~Copyable {
    private let tape: ValueTape
    private let object: UInt32

    init(tape: ValueTape, object: UInt32) {
        self.tape = tape
        self.object = tape.open(object, as: .object) ? object : 0
    }

    /// Adds a text.
    public mutating func add(_ name: StaticString, _ value: String) { tape.set(field(name), value) }

    /// Adds a whole number.
    public mutating func add(_ name: StaticString, _ value: Int) { tape.set(field(name), Int64(value)) }

    /// Adds a Boolean.
    public mutating func add(_ name: StaticString, _ value: Bool) { tape.set(field(name), value) }

    /// Adds a number.
    public mutating func add(_ name: StaticString, _ value: Double) { tape.set(field(name), value) }

    /// Adds a text, or nil.
    public mutating func add(_ name: StaticString, _ value: String?) {
        let cell = field(name)
        if let value { tape.set(cell, value) } else { tape.set(cell, .absent) }
    }

    /// Adds any value.
    public mutating func add(_ name: StaticString, _ value: some Encodable) { write(value, to: field(name)) }

    /// Adds any value, or nil, which JSON writes as ``JSONCoder/nils`` says.
    public mutating func add(_ name: StaticString, _ value: (some Encodable)?) {
        let cell = field(name)
        if let value { write(value, to: cell) } else { tape.set(cell, .absent) }
    }

    /// Adds any value under a name that is data, not part of the source code.
    public mutating func add(named name: String, _ value: some Encodable) {
        write(value, to: tape.add(tape.names.id(name), to: object))
    }

    @inline(__always)
    private func field(_ name: StaticString) -> UInt32 { tape.add(tape.names.id(name), to: object) }

    private func write(_ value: some Encodable, to cell: UInt32) {
        guard cell != 0 else { return }
        do { try tape.write(value, to: cell) } catch { tape.fail(error) }
    }
}
