/// Names, and the ids that stand for them; 0 stands for no name.
///
/// A value looks up each of its members, so names are found by their bytes, eight at a time: hashed with a number that
/// only this process knows, and compared with the one or two whose hashes are alike.
struct NameTable: Sendable {
    private struct Place: Sendable, BitwiseCopyable {
        var offset: UInt32 = 0
        var count: UInt32 = 0
    }

    /// The bytes of all names, one after the other.
    private var bytes: [UInt8] = []
    /// The place of each name in ``bytes``, by id.
    private var places = [Place()]
    /// The ids, each at its hash or at the next free slot; 0 is a free slot. At least half of the slots are free.
    private var slots: [UInt32] = Array(repeating: 0, count: 64)

    /// The number of ids, 0 included.
    var count: Int { places.count }

    /// The size of all names, in bytes.
    var size: Int { bytes.count }

    /// Returns the name that an id stands for.
    func name(_ id: UInt32) -> String { withBytes(of: id) { String(decoding: $0, as: UTF8.self) } }

    @inline(__always)
    func withBytes<Result>(of id: UInt32, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let place = places[Int(id)]
        return bytes.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[Int(place.offset)..<Int(place.offset &+ place.count)]))
        }
    }

    /// The id of a name. A name without one gets the next.
    @inline(__always)
    mutating func id(_ name: String) -> UInt32 {
        var name = name
        return name.withUTF8 { id($0) }
    }

    /// The id of a name from the source code. A name without one gets the next.
    @inline(__always)
    mutating func id(_ name: StaticString) -> UInt32 {
        guard name.hasPointerRepresentation else { return id(name.description) }
        return id(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    @inline(__always)
    private mutating func id(_ name: UnsafeBufferPointer<UInt8>) -> UInt32 {
        var slot = Self.hash(name) & (slots.count &- 1)
        while true {
            let id = slots[slot]
            if id == 0 { return add(name, at: slot) }
            if withBytes(of: id, { $0.hasSameBytes(as: name) }) { return id }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
    }

    @inline(never)
    private mutating func add(_ name: UnsafeBufferPointer<UInt8>, at slot: Int) -> UInt32 {
        let id = UInt32(truncatingIfNeeded: places.count)
        let (offset, count) = (UInt32(truncatingIfNeeded: bytes.count), UInt32(truncatingIfNeeded: name.count))
        places.append(Place(offset: offset, count: count))
        bytes += name
        slots[slot] = id
        if places.count * 2 > slots.count { grow() }
        return id
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        for id in 1..<UInt32(places.count) {
            var slot = withBytes(of: id) { Self.hash($0) } & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = id
        }
    }

    /// Nobody outside can choose names that collide, as keys of a dictionary that becomes a page.
    private static let secret = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max) | 1)

    @inline(__always)
    private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        let secret = secret
        var hash = secret.0 ^ UInt64(truncatingIfNeeded: name.count)
        var index = 0
        while index < name.count {
            let (high, low) = (hash ^ name.word(at: index)).multipliedFullWidth(by: secret.1)
            hash = high ^ low
            index &+= 8
        }
        return Int(truncatingIfNeeded: hash &>> 8)
    }
}
