/// A time zone as a file of the system's database has it (TZif, RFC 9636): a table of the changes of its offset, and a
/// rule for the time after that.
final class ZoneFile: Sendable {
    /// The times of changes, in seconds since 1970.
    private let changes: [Int]
    /// The number of the offset from each change on.
    private let indices: [UInt8]
    private let offsets: [ZoneOffset]
    private let rule: ZoneRule?

    /// UTC, which needs no file.
    static let utc = ZoneFile(offset: ZoneOffset(seconds: 0, name: "UTC"))

    private init(offset: ZoneOffset) {
        (changes, indices, offsets, rule) = ([], [], [offset], nil)
    }

    /// The offset at a time, in seconds since 1970.
    func offset(at time: Int) -> ZoneOffset {
        if let rule, time >= changes.last ?? .min { return rule.offset(at: time) }
        // Nearly always one of the last changes.
        return offsets[changes.lastIndex { $0 <= time }.map { Int(indices[$0]) } ?? 0]
    }

    /// - Returns: nil for bytes that are no such file of version 2 or later.
    init?(_ bytes: [UInt8]) {
        var reader = Reader(rest: bytes[...])
        // The first part is for older programs; its times have 32 bits.
        guard let old = reader.header(), old.version >= UInt8(ascii: "2"), reader.skip(old.size(ofTime: 4)),
            // Zones below `right/` count leap seconds, which no other clock here does.
            let head = reader.header(), head.types > 0, head.leaps == 0
        else { return nil }
        guard let times = reader.take(head.times * 8), let indices = reader.take(head.times),
            let types = reader.take(head.types * 6), let names = reader.take(head.names),
            reader.skip(head.standards + head.utcs), reader.rest.first == UInt8(ascii: "\n"),
            let end = reader.rest.dropFirst().firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        changes = stride(from: times.startIndex, to: times.endIndex, by: 8).map { Self.number(times[$0..<$0 + 8]) }
        self.indices = Array(indices)
        let offsets = stride(from: types.startIndex, to: types.endIndex, by: 6).map {
            Self.offset(types[$0..<$0 + 6], names)
        }
        self.offsets = offsets.compactMap { $0 }
        guard self.offsets.count == head.types, indices.allSatisfy({ $0 < head.types }),
            zip(changes, changes.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        let footer = reader.rest[reader.rest.startIndex + 1..<end]
        rule = ZoneRule(footer)
        if rule == nil, !footer.isEmpty { return nil }
    }

    /// A number with its sign, the highest byte first.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        let sign = bytes.first.map { $0 >= 0x80 ? -1 : 0 } ?? 0
        return bytes.reduce(sign) { $0 << 8 | Int($1) }
    }

    /// A type of local time: its offset, and where its name begins. No place on earth is more than 26 hours from UTC.
    private static func offset(_ type: ArraySlice<UInt8>, _ names: ArraySlice<UInt8>) -> ZoneOffset? {
        let seconds = number(type.prefix(4))
        guard abs(seconds) < 26 * 3600, let start = type.last, start < names.count else { return nil }
        let name = names.dropFirst(Int(start)).prefix { $0 != 0 }
        return ZoneOffset(seconds: seconds, name: String(decoding: name, as: UTF8.self))
    }

    /// The counts at the beginning of a part.
    private struct Header {
        let version: UInt8
        let utcs, standards, leaps, times, types, names: Int

        func size(ofTime time: Int) -> Int {
            times * (time + 1) + types * 6 + names + leaps * (time + 4) + standards + utcs
        }
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        mutating func skip(_ count: Int) -> Bool { take(count) != nil }

        mutating func header() -> Header? {
            guard let head = take(44), head.starts(with: "TZif".utf8) else { return nil }
            let counts = stride(from: head.startIndex + 20, to: head.endIndex, by: 4).map {
                number(head[$0..<$0 + 4])
            }
            // A file that needs more is none of a time zone.
            guard counts.allSatisfy({ (0...100_000).contains($0) }) else { return nil }
            return Header(
                version: head[head.startIndex + 4], utcs: counts[0], standards: counts[1], leaps: counts[2],
                times: counts[3], types: counts[4], names: counts[5])
        }
    }
}

/// The offset of local time from UTC.
struct ZoneOffset: Sendable, Equatable {
    /// The seconds east of Greenwich.
    let seconds: Int
    /// The abbreviation: `CEST`.
    let name: String
}
