/// A value that writes its fields itself, for JSON and templates, which takes less time than `Encodable`.
///
///     extension User: SelfWriting {
///         func write(to fields: inout Fields) {
///             fields.add("id", id)
///             fields.add("name", name)
///             fields.add("roles", roles)
///         }
///     }
///
/// It is for the few types that make up most of what a server sends. ``JSONCoder`` and ``Templates`` use it wherever
/// they meet such a value, also in a list or deep inside an `Encodable`. Other encoders use `encode(to:)`; both should
/// write the same.
public protocol SelfWriting: Encodable {
    /// Writes the fields in order, each name once.
    func write(to fields: inout Fields)
}

/// Writing for a caller that knows the type as a value only.
extension SelfWriting {
    /// Writes the fields of the value at an address.
    static func write(_ value: UnsafeRawPointer, to fields: consuming Fields) {
        var fields = fields
        write(&UnsafeMutableRawPointer(mutating: value).assumingMemoryBound(to: Self.self).pointee, to: &fields)
    }

    /// Writes the elements of the array at an address into a list.
    static func writeElements(of array: UnsafeRawPointer, to tape: ValueTape, _ list: UInt32) {
        array.assumingMemoryBound(to: [Self].self).pointee.withUnsafeBufferPointer { elements in
            guard let first = UnsafeMutablePointer(mutating: elements.baseAddress) else { return }
            for index in elements.indices {
                var fields = Fields(tape: tape, object: tape.add(0, to: list))
                write(&first[index], to: &fields)
            }
        }
    }

    /// Lets a value write itself where it is. It is `inout` only so that the compiler makes no copy of it first.
    @inline(__always)
    private static func write(_ value: inout Self, to fields: inout Fields) { value.write(to: &fields) }
}
