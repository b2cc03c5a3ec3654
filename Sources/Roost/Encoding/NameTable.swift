/// Names, and the ids that stand for them; 0 stands for no name.
///
/// A value looks up each of its members, so names are found by their bytes as numbers: a name of up to 16 bytes is two
/// words, which are hashed and compared at once. Of a longer one, the words are a hash of all bytes.
///
/// A table has one owner at a time; its fields skip the run-time exclusivity check for that reason.
final class NameTable {
    /// A name as two words and its length.
    fileprivate struct Key: BitwiseCopyable {
        var first: UInt64 = 0
        var second: UInt64 = 0
        var count = 0
    }

    /// An entry of the hash table.
    private struct Slot: BitwiseCopyable {
        var key = Key()
        /// 0 if the slot is free.
        var id: UInt32 = 0
    }

    /// A name from the source code, whose bytes never change, and its id.
    private struct Literal: BitwiseCopyable {
        var start: UnsafePointer<UInt8>?
        var count = 0
        var id: UInt32 = 0
    }

    /// The bytes of all names, one after the other.
    private let bytes = ByteBuffer(capacity: 512)
    /// The offset in ``bytes`` at which each name ends, by id.
    @exclusivity(unchecked) private var ends = [0]
    /// The names, each at its hash or at the next free slot. At least half of the slots are free.
    @exclusivity(unchecked) private var slots: UnsafeMutablePointer<Slot>
    /// The number of slots, a power of two.
    @exclusivity(unchecked) private var capacity = 64
    /// The names from the source code that were looked up last, by their addresses.
    @exclusivity(unchecked) private var literals: UnsafeMutablePointer<Literal>
    private static let literalCount = 128
    /// Numbers that only this process knows, so that nobody outside can choose names that collide, as keys of a
    /// dictionary that becomes a page.
    private let secret = NameTable.secret

    private static let secret = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))

    /// A table in which names have the ids 1, 2 and so on.
    init(_ names: some Sequence<String> = []) {
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: Slot(), count: capacity)
        literals = .allocate(capacity: Self.literalCount)
        literals.initialize(repeating: Literal(), count: Self.literalCount)
        for name in names { _ = id(name) }
    }

    deinit {
        slots.deallocate()
        literals.deallocate()
    }

    /// The number of ids, 0 included.
    var count: Int { ends.count }

    /// The size of all names, in bytes.
    var size: Int { bytes.count }

    /// The names in the order of their ids, from 1 on.
    var all: [String] { (1..<UInt32(count)).map(name) }

    /// Returns the name that an id stands for.
    func name(_ id: UInt32) -> String { String(decoding: utf8(of: id), as: UTF8.self) }

    /// The bytes of a name, valid until another is added. ``ByteBuffer/padding`` bytes can be read after them.
    func utf8(of id: UInt32) -> UnsafeBufferPointer<UInt8> {
        let start = id == 0 ? 0 : ends[Int(id) - 1]
        return UnsafeBufferPointer(start: bytes.base + start, count: ends[Int(id)] - start)
    }

    /// The id of a name. A name without one gets the next.
    @inline(never)
    func id(_ name: String) -> UInt32 {
        var name = name
        return name.withUTF8 { id($0) }
    }

    /// The id of a name from the source code. A name without one gets the next.
    @inline(__always)
    func id(_ name: StaticString) -> UInt32 {
        guard name.hasPointerRepresentation else { return id(name.description) }
        let (start, count) = (name.utf8Start, name.utf8CodeUnitCount)
        let address = UInt(bitPattern: start)
        let known = literals + Int(bitPattern: (address ^ address &>> 7) & UInt(Self.literalCount &- 1))
        if known.pointee.start == start, known.pointee.count == count { return known.pointee.id }
        known.pointee = Literal(start: start, count: count, id: id(UnsafeBufferPointer(start: start, count: count)))
        return known.pointee.id
    }

    @inline(__always)
    private func id(_ name: UnsafeBufferPointer<UInt8>) -> UInt32 {
        let key = key(of: name)
        var index = slot(of: key)
        while true {
            let slot = slots + index
            if slot.pointee.id == 0 { return add(name, key, at: index) }
            if slot.pointee.key.first == key.first, slot.pointee.key.second == key.second,
                slot.pointee.key.count == key.count, key.count <= 16 || utf8(of: slot.pointee.id).hasSameBytes(as: name)
            {
                return slot.pointee.id
            }
            index = (index &+ 1) & (capacity &- 1)
        }
    }

    @inline(never)
    private func add(_ name: UnsafeBufferPointer<UInt8>, _ key: Key, at index: Int) -> UInt32 {
        let id = UInt32(truncatingIfNeeded: ends.count)
        bytes.append(name)
        bytes.reserve(ByteBuffer.padding)
        ends.append(bytes.count)
        slots[index] = Slot(key: key, id: id)
        if ends.count * 2 > capacity { grow() }
        return id
    }

    private func grow() {
        let (old, names) = (slots, UnsafeBufferPointer(start: slots, count: capacity))
        capacity *= 2
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: Slot(), count: capacity)
        for name in names where name.id != 0 {
            var index = slot(of: name.key)
            while slots[index].id != 0 { index = (index + 1) & (capacity - 1) }
            slots[index] = name
        }
        old.deallocate()
    }

    // MARK: Words

    @inline(__always)
    private func key(of name: UnsafeBufferPointer<UInt8>) -> Key {
        guard let base = UnsafeRawPointer(name.baseAddress) else { return Key() }
        let count = name.count
        if count > 16 { return longKey(base, count) }
        if count >= 8 { return Key(UInt64.self, base, count) }
        if count >= 4 { return Key(UInt32.self, base, count) }
        if count >= 2 { return Key(UInt16.self, base, count) }
        return count == 0 ? Key() : Key(UInt8.self, base, count)
    }

    @inline(never)
    private func longKey(_ base: UnsafeRawPointer, _ count: Int) -> Key {
        var key = Key(UInt64.self, base, count)
        for offset in stride(from: 0, to: count - 8, by: 8) {
            let (high, low) = mixed(key.first ^ base.loadUnaligned(fromByteOffset: offset, as: UInt64.self), key.second)
            (key.first, key.second) = (high ^ low, key.second &+ high)
        }
        return key
    }

    /// The slot at which the search for a name begins.
    @inline(__always)
    private func slot(of key: Key) -> Int {
        let (high, low) = mixed(key.first ^ UInt64(truncatingIfNeeded: key.count), key.second)
        return Int(truncatingIfNeeded: high ^ low) & (capacity &- 1)
    }

    @inline(__always)
    private func mixed(_ first: UInt64, _ second: UInt64) -> (high: UInt64, low: UInt64) {
        (first ^ secret.0).multipliedFullWidth(by: second ^ secret.1)
    }
}

extension NameTable.Key {
    /// The first and the last bytes of a name, as many as a word has. They may overlap.
    @inline(__always)
    fileprivate init<Word: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ type: Word.Type, _ base: UnsafeRawPointer, _ count: Int
    ) {
        first = UInt64(base.loadUnaligned(as: Word.self))
        second = UInt64(base.loadUnaligned(fromByteOffset: count &- MemoryLayout<Word>.size, as: Word.self))
        self.count = count
    }
}
