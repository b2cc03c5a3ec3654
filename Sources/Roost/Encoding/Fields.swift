/// The object that a ``SelfWriting`` value writes. It takes fields until `write(to:)` returns.
///
/// No field needs `try`: should one fail, the encoding or rendering throws the first error afterwards.
public struct Fields: ~Copyable {
    /// The tape outlives all use of these, which cannot be copied. So nobody needs to count this reference.
    private let tape: Unmanaged<ValueTape>
    private let object: UInt32

    init(tape: ValueTape, object: UInt32) {
        self.tape = .passUnretained(tape)
        self.object = tape.open(object, as: .object) ? object : 0
    }

    /// Adds a text.
    public mutating func add(_ name: StaticString, _ value: String) { field(name) { $0.set($1, value) } }

    /// Adds a whole number.
    public mutating func add(_ name: StaticString, _ value: Int) { field(name) { $0.set($1, Int64(value)) } }

    /// Adds a Boolean.
    public mutating func add(_ name: StaticString, _ value: Bool) { field(name) { $0.set($1, value) } }

    /// Adds a number.
    public mutating func add(_ name: StaticString, _ value: Double) { field(name) { $0.set($1, value) } }

    /// Adds a text, or nil.
    public mutating func add(_ name: StaticString, _ value: String?) {
        field(name) { if let value { $0.set($1, value) } else { $0.set($1, .absent) } }
    }

    /// Adds any value.
    public mutating func add(_ name: StaticString, _ value: some Encodable) {
        field(name) { $0.add(value, at: $1) }
    }

    /// Adds any value, or nil, which JSON writes as ``JSONCoder/nils`` says.
    @inlinable
    public mutating func add(_ name: StaticString, _ value: (some Encodable)?) {
        // Inlinable, because an optional of unknown type is a type to look up at run time.
        if let value { add(name, value) } else { add(name, nil as String?) }
    }

    /// Adds any value under a name that is data, not part of the source code.
    public mutating func add(named name: String, _ value: some Encodable) {
        tape._withUnsafeGuaranteedRef { tape in
            let cell = tape.add(name, to: object)
            tape.cells[Int(cell)].isDataName = true
            tape.add(value, at: cell)
        }
    }

    @inline(__always)
    private func field(_ name: StaticString, _ body: (ValueTape, UInt32) -> Void) {
        tape._withUnsafeGuaranteedRef { body($0, $0.add(name, to: object)) }
    }
}

extension ValueTape {
    /// Lets a value write itself into a cell, and keeps its error until the object is complete.
    fileprivate func add(_ value: some Encodable, at cell: UInt32) {
        guard cell != 0 else { return }
        do { try write(value, to: cell) } catch { fail(error) }
    }
}
