import HTTPTypes

extension Headers {
    /// The storage of the fields. One or two need no extra memory: many responses have the type of their content and an
    /// id, and nothing else. With a list alone, each of these allocates once more (`/plaintext` twice instead of once).
    enum Storage: Sendable {
        case received(ReceivedFields)
        case one(Field)
        case two(Field, Field)
        case list([Field])
    }
}

extension Headers.Storage {
    init(_ list: [Headers.Field]) {
        switch list.count {
        case 1: self = .one(list[0])
        case 2: self = .two(list[0], list[1])
        default: self = .list(list)
        }
    }

    /// Room for what most responses have that have more than two fields.
    private static let usualCount = 8

    /// Every field line in order.
    var list: [Headers.Field] {
        switch self {
        case .received(let fields): fields.list
        case .one(let field): [field]
        case .two(let first, let second): [first, second]
        case .list(let list): list
        }
    }

    /// Whether a field is such a one.
    @inline(__always)
    func contains(where isWanted: (borrowing Headers.Field) -> Bool) -> Bool {
        switch self {
        case .one(let field): isWanted(field)
        case .two(let first, let second): isWanted(first) || isWanted(second)
        case .received, .list: list.contains { isWanted($0) }
        }
    }

    /// The name of the first field that is such a one.
    @inline(__always)
    func name(where isWanted: (borrowing Headers.Field) -> Bool) -> HTTPField.Name? {
        switch self {
        case .one(let field): isWanted(field) ? field.name : nil
        case .two(let first, let second): isWanted(first) ? first.name : isWanted(second) ? second.name : nil
        case .received, .list: list.first { isWanted($0) }?.name
        }
    }

    /// Adds a field line. The existing ones are moved, not copied.
    mutating func append(_ field: consuming Headers.Field) {
        switch consume self {
        case .one(let first): self = .two(first, field)
        case .two(let first, let second):
            var list: [Headers.Field] = []
            list.reserveCapacity(Self.usualCount)
            list.append(first)
            list.append(second)
            list.append(field)
            self = .list(list)
        case .received(let fields): self = .list(fields.list + [field])
        case .list(var list):
            if list.isEmpty { return self = .one(field) }
            list.append(field)
            self = .list(list)
        }
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
