extension JSONCoder {
    /// The JSON text of a value, in UTF-8.
    /// - Throws: `EncodingError` for a number or date that JSON cannot hold, for nesting deeper than ``maximumDepth``,
    ///   for an object with two members of one name, and for an `Encodable` that breaks the protocol's rules: it writes
    ///   two values in one place, or none at all, or uses a container after its value was encoded. Also what the
    ///   value's own `encode(to:)` throws. That JSON cannot hold a number, a date or a name is known only when the text
    ///   is written, so code in `encode(to:)` cannot catch it.
    public func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
        try withText(of: value) { Array($0) }
    }

    /// The JSON text of a value, as a string.
    /// - Throws: As ``encode(_:)`` does.
    public func string<Value: Encodable>(_ value: Value) throws -> String {
        try withText(of: value) { String(decoding: $0, as: UTF8.self) }
    }

    /// Appends the JSON text of a value. After an error, the buffer is as it was.
    func encode<Value: Encodable>(_ value: Value, into buffer: ByteBuffer) throws {
        try withText(of: value) { buffer.append($0) }
    }

    private func withText<Value: Encodable, Result>(
        of value: Value, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) throws -> Result {
        let workspace = JSONWorkspace.take()
        defer { JSONWorkspace.giveBack(workspace) }
        try workspace.write(value, by: self)
        return body(workspace.output.written)
    }
}
