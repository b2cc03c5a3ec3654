import HTTPTypes

/// Field lines that are the same in many responses: joined once, and copied as one run of bytes.
final class SharedFields: Sendable {
    /// The fields in order.
    let list: [Headers.Field]
    /// All lines, as they are sent (RFC 9112 §5).
    let lines: [UInt8]
    /// The first field whose value must not be sent, because it contains a control character.
    let refused: HTTPField.Name?
    /// A bit for each length that a name has, up to 63 bytes: most other names differ in that already.
    private let lengths: UInt64

    init(_ headers: Headers) {
        list = headers.list
        let output = ByteBuffer()
        refused = list.first { !$0.write(to: output) }?.name
        lines = Array(output.written)
        lengths = list.reduce(0) { $0 | Self.bit(of: $1.name) }
    }

    /// Whether one of them has this name.
    @inline(__always)
    func contains(_ name: HTTPField.Name) -> Bool {
        lengths & Self.bit(of: name) != 0 && list.contains { $0.hasName(name) }
    }

    @inline(__always)
    private static func bit(of name: HTTPField.Name) -> UInt64 { 1 &<< UInt64(min(63, name.canonicalName.utf8.count)) }
}
