/// The places, in the path, of the matched route's parameters.
///
/// The table has a fixed size, so that a request carries it without an allocation.
struct PathCaptures: Sendable {
    /// The most parameters that a path can have.
    static let maximum = 8

    private var ranges = InlineArray<8, ByteRange>(repeating: ByteRange(0, 0))
    private(set) var count = 0

    subscript(index: Int) -> ByteRange { ranges[index] }

    mutating func append(_ range: ByteRange) {
        ranges[count] = range
        count += 1
    }

    mutating func removeLast() { count -= 1 }

    /// These parameters after their bytes have moved.
    func moved(by distance: Int) -> PathCaptures {
        var captures = PathCaptures()
        for index in 0..<count { captures.append(ranges[index].moved(by: distance)) }
        return captures
    }
}
