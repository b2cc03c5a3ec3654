/// The places of a document that can still be written to, the oldest first.
///
/// A stack in memory of its own: every nested value pushes and pops one, so neither reference counts nor checks of
/// uniqueness are affordable here. Indices come from ``JSONDocument`` alone.
struct JSONPlaces: ~Copyable {
    private var base: UnsafeMutablePointer<JSONPlace>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 8) {
        self.capacity = capacity
        base = .allocate(capacity: capacity)
    }

    deinit { base.deallocate() }

    @inline(__always)
    subscript(index: Int) -> UnsafeMutablePointer<JSONPlace> {
        assert(index >= 0 && index < count)
        return base + index
    }

    @inline(__always)
    mutating func push(_ place: JSONPlace) {
        if count == capacity { grow() }
        (base + count).initialize(to: place)
        count &+= 1
    }

    /// Forgets the places from an index on.
    @inline(__always)
    mutating func drop(from index: Int) { count = index }

    /// The index of the place with a serial number; serials ascend, because places stand in order of age.
    func index(of serial: Int) -> Int? {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if base[middle].serial < serial { low = middle + 1 } else { high = middle }
        }
        return low < count && base[low].serial == serial ? low : nil
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<JSONPlace>.allocate(capacity: capacity * 2)
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
        capacity *= 2
    }
}
