/// The object that a ``JSONWritable`` value writes. It takes members until `write(to:)` returns.
///
/// Numbers, strings and Booleans are written without `try`. Should one fail, ``JSONCoder/encode(_:)`` throws the error.
public struct JSONMembers: ~Copyable {
    private let writer: JSONWriter

    init(_ writer: JSONWriter) { self.writer = writer }

    /// Writes a number.
    public func member(_ name: StaticString, _ value: Int) {
        writer.safeMember(named: name) { DecimalText.append(value, to: $0.buffer) }
    }

    /// Writes a string.
    public func member(_ name: StaticString, _ value: String) {
        writer.safeMember(named: name) { $0.append(value) }
    }

    /// Writes `true` or `false`.
    public func member(_ name: StaticString, _ value: Bool) {
        writer.safeMember(named: name) { $0.append(value) }
    }

    /// Writes any value; nil is written as ``JSONCoder/nils`` says.
    /// - Throws: As ``JSONCoder/encode(_:)`` does.
    public func member<Value: Encodable>(_ name: StaticString, _ value: Value?) throws {
        guard let value else {
            if writer.writesNil { try writer.member(named: name) { $0.buffer.append("null") } }
            return
        }
        try writer.member(named: name) { try $0.append(value) }
    }
}
