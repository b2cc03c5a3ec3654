/// The lengths of the names of some fields: a bit for each, up to 63 bytes. Most names that are looked for are not
/// there, and their length alone tells it.
struct NameLengths: Sendable, BitwiseCopyable {
    private var bits: UInt64 = 0

    /// Every length, for fields whose names are not known.
    static let all = NameLengths(bits: .max)

    mutating func insert(_ count: Int) { bits |= Self.bit(of: count) }

    func contains(_ count: Int) -> Bool { bits & Self.bit(of: count) != 0 }

    private static func bit(of count: Int) -> UInt64 { 1 &<< UInt64(min(63, count)) }
}
