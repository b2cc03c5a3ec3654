/// The positions at which a statement's placeholders begin, in bytes. The first four of a short text need no array.
struct SQLMarks: Sendable, Hashable {
    private(set) var count = 0
    /// The first four, with 16 bits each.
    private var first: UInt64 = 0
    /// All of them, if they are more than that or farther on.
    private var all: [Int] = []

    mutating func append(_ mark: Int) {
        if count < 4, all.isEmpty, mark <= 0xFFFF {
            first |= UInt64(mark) << (16 * UInt64(count))
        } else {
            if all.isEmpty { all = (0..<count).map { self[$0] } }
            all.append(mark)
        }
        count += 1
    }

    subscript(_ index: Int) -> Int {
        all.isEmpty ? Int(first >> (16 * UInt64(index)) & 0xFFFF) : all[index]
    }
}
