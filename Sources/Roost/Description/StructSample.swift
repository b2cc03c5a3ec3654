@_spi(Reflection) import Swift

/// A value of a struct that is only ever written, so that no `init(from:)` makes one: put together from samples of its
/// stored properties, which the runtime knows by their places.
enum StructSample {
    /// Makes a value.
    /// - Parameter sample: Makes a value of a property's type.
    /// - Throws: ``Undescribable`` for anything but a struct.
    static func make<Value>(_ type: Value.Type, sample: (any Any.Type) throws -> Any) throws -> Value {
        guard isStruct(type) else {
            throw Undescribable(type, "no sample of it can be made; make it Codable, or conform it to Described")
        }
        var fields: [(offset: Int, type: any Any.Type)] = []
        let isWhole = _forEachField(of: type, options: []) { _, offset, type, _ in
            fields.append((offset, type))
            return true
        }
        guard isWhole else { throw Undescribable(type, "its properties are hidden; conform it to Described") }
        // All of them first: memory that is only half a value must not become one.
        let writers = try fields.map { ($0.offset, try writer(of: sample($0.type), as: $0.type)) }
        let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        defer { memory.deallocate() }
        let bytes = UnsafeMutableRawPointer(memory)
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<Value>.size)
        for (offset, write) in writers { write(bytes + offset) }
        return memory.move()
    }

    /// A holder of one value: the runtime knows the kind of a property's type, and crashes when it is asked about the
    /// properties of an existential.
    private struct Holder<Value> { let value: Value }

    private static func isStruct<Value>(_ type: Value.Type) -> Bool {
        var isStruct = false
        _ = _forEachField(of: Holder<Value>.self, options: []) { _, _, _, kind in
            isStruct = kind == .struct
            return true
        }
        return isStruct
    }

    private static func writer(
        of value: Any, as type: any Any.Type
    ) throws -> (UnsafeMutableRawPointer) -> Void {
        func open<Field>(_ type: Field.Type) throws -> (UnsafeMutableRawPointer) -> Void {
            guard let value = value as? Field else { throw Undescribable(type, "no sample of it can be made") }
            return { $0.initializeMemory(as: Field.self, to: value) }
        }
        return try open(type)
    }
}
