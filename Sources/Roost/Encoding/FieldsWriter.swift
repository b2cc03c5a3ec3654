/// Calls ``SelfWriting/write(to:)`` for a caller that does not know the type.
class FieldsWriter {
    fileprivate init() {}

    /// Writes the fields of the value at an address.
    func write(_ value: UnsafeRawPointer, to fields: consuming Fields) {}

    /// Writes the elements of the array at an address into a list.
    func writeElements(of array: UnsafeRawPointer, to tape: ValueTape, _ list: UInt32) {}
}

private final class FieldsWriterOf<Value: SelfWriting>: FieldsWriter {
    override func write(_ value: UnsafeRawPointer, to fields: consuming Fields) {
        var fields = fields
        value.assumingMemoryBound(to: Value.self).pointee.write(to: &fields)
    }

    override func writeElements(of array: UnsafeRawPointer, to tape: ValueTape, _ list: UInt32) {
        array.assumingMemoryBound(to: [Value].self).pointee.withUnsafeBufferPointer { elements in
            for index in elements.indices {
                var fields = Fields(tape: tape, object: tape.add(0, to: list))
                elements[index].write(to: &fields)
            }
        }
    }
}

extension SelfWriting {
    /// The writer of this type's values.
    static var writer: FieldsWriter { FieldsWriterOf<Self>() }
}
