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
        /// As an array of such values.
        case list(JSONMembersOfType)
    }

    private var shapes = TypeTable<Shape>()

    /// The shape of a type.
    @inline(__always)
    mutating func shape<Value>(of type: Value.Type) -> Shape {
        shapes.value(of: type) { Self.shape(ofNew: type) }.pointee
    }

    private static func shape<Value>(ofNew type: Value.Type) -> Shape {
        if JSONDocument.isKnown(type) { return .known }
        if let writable = type as? any JSONWritable.Type { return .members(writable.members) }
        if let list = type as? any JSONWritableList.Type { return .list(list.members) }
        return .encodable
    }
}

extension JSONWritable {
    fileprivate static var members: JSONMembersOfType { JSONMembersOfWritable<Self>() }
}

/// An array of values that write themselves.
private protocol JSONWritableList {
    static var members: JSONMembersOfType { get }
}

extension Array: JSONWritableList where Element: JSONWritable {
    fileprivate static var members: JSONMembersOfType { Element.members }
}

/// Calls ``JSONWritable/write(to:)`` for a caller that does not know the type.
class JSONMembersOfType {
    fileprivate init() {}

    /// Writes the members of the value at an address.
    func write(_ value: UnsafeRawPointer, to object: borrowing JSONMembers) throws {}

    /// Writes all elements of the array at an address, which the innermost place of a document has become.
    func writeElements(of list: UnsafeRawPointer, to document: JSONDocument) throws {}
}

/// Writes the members of a ``JSONWritable``.
private final class JSONMembersOfWritable<Value: JSONWritable>: JSONMembersOfType {
    override func write(_ value: UnsafeRawPointer, to object: borrowing JSONMembers) throws {
        try value.assumingMemoryBound(to: Value.self).pointee.write(to: object)
    }

    override func writeElements(of list: UnsafeRawPointer, to document: JSONDocument) throws {
        try list.assumingMemoryBound(to: [Value].self).pointee.withUnsafeBufferPointer { elements in
            try document.append(elements)
        }
    }
}
