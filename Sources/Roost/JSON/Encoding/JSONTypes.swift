/// How the values of each type are written, for the types that a document has met.
struct JSONTypes: ~Copyable {
    /// How the values of a type become JSON.
    enum Shape {
        /// By ``JSONDocument/appendKnown(_:)``.
        case known
        /// By `encode(to:)`.
        case encodable
        /// As ``JSONWritable``.
        case members(JSONMembersOfType)
    }

    private var shapes = TypeTable<Shape>()

    /// The shape of a type.
    @inline(__always)
    mutating func shape<Value>(of type: Value.Type) -> Shape {
        shapes.value(of: type) { Self.shape(ofNew: type) }.pointee
    }

    private static func shape<Value>(ofNew type: Value.Type) -> Shape {
        if JSONDocument.isKnown(type) { return .known }
        guard let writable = type as? any JSONWritable.Type else { return .encodable }
        return .members(members(writable))
    }

    private static func members<Value: JSONWritable>(_ type: Value.Type) -> JSONMembersOfType {
        JSONMembersOfWritable<Value>()
    }
}

/// Calls ``JSONWritable/write(to:)`` for a caller that does not know the type.
class JSONMembersOfType {
    fileprivate init() {}

    /// Writes the members of the value at an address.
    func write(_ value: UnsafeRawPointer, to object: borrowing JSONMembers) throws {}
}

/// Writes the members of a ``JSONWritable``.
private final class JSONMembersOfWritable<Value: JSONWritable>: JSONMembersOfType {
    override func write(_ value: UnsafeRawPointer, to object: borrowing JSONMembers) throws {
        try value.assumingMemoryBound(to: Value.self).pointee.write(to: object)
    }
}
