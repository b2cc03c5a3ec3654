import HTTPTypes

extension Headers {
    /// The storage of the fields: the bytes that came, or a list. It is small, because a response is handed on often,
    /// and a large value is not copied in place.
    enum Storage: Sendable {
        case received(ReceivedFields)
        case list([Field])
    }
}

extension Headers.Storage {
    /// Room for the fields of most responses.
    private static let usualCount = 8

    /// Every field line in order.
    var list: [Headers.Field] {
        switch self {
        case .received(let fields): fields.list
        case .list(let list): list
        }
    }

    /// Returns the place of the first field that is such a one; no field is copied.
    @inline(__always)
    func firstIndex(where isWanted: (borrowing Headers.Field) -> Bool) -> Int? {
        list.withUnsafeBufferPointer { fields in
            guard let first = fields.baseAddress else { return nil }
            for index in fields.indices where isWanted((first + index).pointee) { return index }
            return nil
        }
    }

    /// Adds a field line. The existing ones are moved, not copied.
    mutating func append(_ field: consuming Headers.Field) {
        var list: [Headers.Field]
        switch consume self {
        case .received(let fields): list = fields.list
        case .list(let fields): list = fields
        }
        if list.count == list.capacity { list.reserveCapacity(max(Self.usualCount, 2 * list.count)) }
        list.append(field)
        self = .list(list)
    }
}

/// Field lines that are the same in many responses: joined once, and copied as one run of bytes.
final class SharedFields: Sendable {
    /// The fields in order.
    let list: [Headers.Field]
    /// All lines, as they are sent (RFC 9112 §5).
    let lines: [UInt8]
    /// The first field whose value must not be sent, because it contains a control character.
    let refused: HTTPField.Name?
    private let lengths: NameLengths

    init(_ headers: Headers) {
        list = headers.list
        let output = ByteBuffer()
        refused = list.first { !$0.write(to: output) }?.name
        lines = Array(output.written)
        lengths = list.reduce(into: NameLengths()) { $0.insert($1.name.canonicalName.utf8.count) }
    }

    /// Whether one of them has this name.
    @inline(__always)
    func contains(_ name: HTTPField.Name) -> Bool {
        lengths.contains(name.canonicalName.utf8.count) && list.contains { $0.hasName(name) }
    }
}
