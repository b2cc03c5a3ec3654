/// In which shape the values of a type are written, for the types that a document has seen.
///
/// Asking the runtime for a conformance costs more than writing a small object, so the answer is kept in a slot. The
/// type's address tells which. The linker chooses addresses, so types may share a slot; then one of the next three is
/// used. When all four are taken, the new type replaces the first.
struct JSONTypes: ~Copyable {
    /// How the values of a type become JSON.
    enum Shape {
        /// By ``JSONDocument/appendKnown(_:)``.
        case known
        /// By `encode(to:)`.
        case encodable
        /// As ``JSONWritable``.
        case members(Unmanaged<JSONMembersOfType>)
    }

    private static let count = 64
    private let slots = UnsafeMutablePointer<(type: ObjectIdentifier?, shape: Shape)>.allocate(capacity: Self.count)

    init() { slots.initialize(repeating: (nil, .encodable), count: Self.count) }

    deinit {
        for index in 0..<Self.count { release(slots[index].shape) }
        slots.deallocate()
    }

    /// The shape of a type.
    @inline(__always)
    func shape<Value>(of type: Value.Type) -> Shape {
        let identifier = ObjectIdentifier(type)
        let slot = slots + (Int(bitPattern: identifier) &>> 5 & (Self.count - 1))
        return slot.pointee.type == identifier ? slot.pointee.shape : shape(of: type, beyond: slot)
    }

    @inline(never)
    private func shape<Value>(
        of type: Value.Type, beyond first: UnsafeMutablePointer<(type: ObjectIdentifier?, shape: Shape)>
    ) -> Shape {
        let identifier = ObjectIdentifier(type)
        let place = first - slots
        for offset in 0..<4 {
            let slot = slots + ((place + offset) & (Self.count - 1))
            if slot.pointee.type == identifier { return slot.pointee.shape }
            if slot.pointee.type == nil { return learn(type, in: slot) }
        }
        return learn(type, in: first)
    }

    private func learn<Value>(
        _ type: Value.Type, in slot: UnsafeMutablePointer<(type: ObjectIdentifier?, shape: Shape)>
    ) -> Shape {
        release(slot.pointee.shape)
        slot.pointee = (ObjectIdentifier(type), JSONDocument.isKnown(type) ? .known : Self.shape(ofUnknown: type))
        return slot.pointee.shape
    }

    private static func shape<Value>(ofUnknown type: Value.Type) -> Shape {
        guard let writable = type as? any JSONWritable.Type else { return .encodable }
        return .members(.passRetained(members(writable)))
    }

    private static func members<Value: JSONWritable>(_ type: Value.Type) -> JSONMembersOfType {
        JSONMembersOfWritable<Value>()
    }

    private func release(_ shape: Shape) {
        if case .members(let members) = shape { members.release() }
    }
}

/// Writes the members of a value whose type the caller does not know.
class JSONMembersOfType {
    fileprivate init() {}

    /// Writes the members of the value at an address.
    func write(_ value: UnsafeRawPointer, to object: borrowing JSONMembers) throws {}
}

/// Writes the members of a ``JSONWritable``.
private final class JSONMembersOfWritable<Value: JSONWritable>: JSONMembersOfType {
    override func write(_ value: UnsafeRawPointer, to object: borrowing JSONMembers) throws {
        try value.assumingMemoryBound(to: Value.self).pointee.writeMembers(to: object)
    }
}
