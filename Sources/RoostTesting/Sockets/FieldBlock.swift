// The fields of a message of HTTP/2 as they are on the wire (HPACK, RFC 7541), as far as a client needs it that asks
// its server to remember nothing (SETTINGS_HEADER_TABLE_SIZE 0). It shares no code with the server's.

/// Reads and writes the fields of a message of HTTP/2.
enum FieldBlock {
    /// Bytes that RFC 7541 does not allow.
    struct Malformed: Error {}

    // MARK: Writing

    /// A field without compression, and not to be remembered (§6.2.2).
    static func field(_ name: String, _ value: String) -> [UInt8] { [0] + string(name) + string(value) }

    private static func string(_ text: String) -> [UInt8] {
        let count = text.utf8.count
        guard count >= 127 else { return [UInt8(count)] + text.utf8 }
        var (rest, length) = (count - 127, [UInt8(127)])
        while rest >= 128 {
            length.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return length + [UInt8(rest)] + text.utf8
    }

    // MARK: Reading

    /// The fields of a whole block, in order.
    /// - Throws: ``Malformed``.
    static func fields(_ block: [UInt8]) throws -> [(name: String, value: String)] {
        var fields: [(String, String)] = []
        var rest = block[...]
        while let first = rest.first {
            switch first {
            case 0x80...:
                // Indexed (§6.1).
                let index = try integer(7, &rest)
                guard table.indices.contains(index), index > 0 else { throw Malformed() }
                fields.append(table[index])
            case 0x20..<0x40:
                // The size of the table changes (§6.3): to what the client has allowed.
                guard try integer(5, &rest) == 0 else { throw Malformed() }
            default:
                // Literal, with or without a name from the table, to be remembered or not (§6.2).
                let index = try integer(first & 0x40 == 0 ? 4 : 6, &rest)
                guard table.indices.contains(index) else { throw Malformed() }
                let name = index == 0 ? try string(&rest) : table[index].name
                fields.append((name, try string(&rest)))
            }
        }
        return fields
    }

    /// A number, of which the first byte has the last bits (§5.1).
    private static func integer(_ bits: Int, _ rest: inout ArraySlice<UInt8>) throws -> Int {
        guard let first = rest.popFirst() else { throw Malformed() }
        let limit = 1 << bits - 1
        var number = Int(first) & limit
        guard number == limit else { return number }
        for shift in stride(from: 0, to: 28, by: 7) {
            guard let byte = rest.popFirst() else { throw Malformed() }
            number += Int(byte & 127) << shift
            if byte < 128 { return number }
        }
        throw Malformed()
    }

    private static func string(_ rest: inout ArraySlice<UInt8>) throws -> String {
        let isCoded = rest.first ?? 0 >= 128
        let count = try integer(7, &rest)
        guard count <= rest.count else { throw Malformed() }
        let bytes = rest.prefix(count)
        rest = rest.dropFirst(count)
        return String(decoding: isCoded ? try decoded(bytes) : Array(bytes), as: UTF8.self)
    }

    /// Decodes a string (§5.2). The code is canonical (appendix B): codes of one length count up from the next longer
    /// code of the length before, in the order of their symbols.
    private static func decoded(_ bytes: ArraySlice<UInt8>) throws -> [UInt8] {
        var text: [UInt8] = []
        var (code, length, first, place) = (0, 0, 0, 0)
        for bit in bytes.lazy.flatMap({ byte in (0..<8).lazy.map { Int(byte >> (7 - $0)) & 1 } }) {
            length += 1
            guard length < counts.count else { throw Malformed() }
            code = code << 1 | bit
            first <<= 1
            if code - first < counts[length] {
                guard let symbol = UInt8(exactly: symbols[place + code - first]) else { throw Malformed() }
                text.append(symbol)
                (code, length, first, place) = (0, 0, 0, 0)
            } else {
                place += counts[length]
                first += counts[length]
            }
        }
        // The rest is less than a byte, of ones only.
        guard length < 8, code == 1 << length - 1 else { throw Malformed() }
        return text
    }

    /// The length of each symbol's code in bits, as a letter: A is 5. The last symbol ends a text.
    private static let lengths =
        "ISXXXXXXXTZXXZXXXXXXXXZXXXXXXXXXBFFHIBDGFFDGDBBBAAABBBBBBBCDKBHF"
        + "IBCCCCCCCCCCCCCCCCCCCCCCDCDIOIJBKABABABBBACCBBBABCBAABCCCCCKGJIX"
        + "PRPPRRRSRSSSSSTSTTRSTSSSSQRSRSSTRQPRRSSQSRRTQRSSQQRQSRSSPRRRSRRS"
        + "VVPORSRUVVVWWVTUOQVWWVWTQQVVXWWWPTPQRQQSRRUUTTVSVWVVWWWWWXWWWWWVZ"

    private static let bits = lengths.utf8.map { Int($0) - 60 }

    /// The number of codes of each length.
    private static let counts = (0...30).map { length in bits.count { $0 == length } }

    /// The symbols in the order of their codes.
    private static let symbols = bits.indices.sorted { (bits[$0], $0) < (bits[$1], $1) }

    /// The fields that have a number (appendix A).
    private static let table: [(name: String, value: String)] = [("", "")] + pairs + names.map { (String($0), "") }

    private static let pairs = [
        (":authority", ""), (":method", "GET"), (":method", "POST"), (":path", "/"), (":path", "/index.html"),
        (":scheme", "http"), (":scheme", "https"), (":status", "200"), (":status", "204"), (":status", "206"),
        (":status", "304"), (":status", "400"), (":status", "404"), (":status", "500"), ("accept-charset", ""),
        ("accept-encoding", "gzip, deflate"),
    ]

    private static let names = """
        accept-language accept-ranges accept access-control-allow-origin age allow authorization cache-control \
        content-disposition content-encoding content-language content-length content-location content-range \
        content-type cookie date etag expect expires from host if-match if-modified-since if-none-match if-range \
        if-unmodified-since last-modified link location max-forwards proxy-authenticate proxy-authorization range \
        referer refresh retry-after server set-cookie strict-transport-security transfer-encoding user-agent vary via \
        www-authenticate
        """.split(separator: " ")
}
