/// Calls ``SelfWriting/write(to:)`` for a caller that does not know the type.
class FieldsWriter {
    fileprivate init() {}

    /// Writes the fields of the value at an address.
    func write(_ value: UnsafeRawPointer, to fields: consuming Fields) {}
}

private final class FieldsWriterOf<Value: SelfWriting>: FieldsWriter {
    override func write(_ value: UnsafeRawPointer, to fields: consuming Fields) {
        var fields = fields
        value.assumingMemoryBound(to: Value.self).pointee.write(to: &fields)
    }
}

extension SelfWriting {
    /// The writer of this type's values.
    static var writer: FieldsWriter { FieldsWriterOf<Self>() }
}
