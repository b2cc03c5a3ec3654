/// The context stack of Mustache: the values that names are looked up in. They are those that every page has, then the
/// page, then one for each open section.
struct TemplateContext: ~Copyable {
    private struct Entry {
        var cell: UInt32
        /// Whether the section goes on with the list's next element.
        let isLoop: Bool
    }

    private let tape: ValueTape
    private var entries: UnsafeMutablePointer<Entry>
    /// The number of entries that there is memory for.
    private var capacity = 16
    private let maximumCount: Int
    private(set) var count = 0

    init(tape: ValueTape, maximumCount: Int) {
        self.tape = tape
        self.maximumCount = maximumCount
        entries = .allocate(capacity: capacity)
    }

    /// A copy for templates that a lambda renders.
    ///
    /// The value of a section that it renders is open once more.
    init(copying other: borrowing TemplateContext) {
        self.init(tape: other.tape, maximumCount: other.maximumCount + 1)
        for index in 0..<other.count { _ = push(other.entries[index].cell, isLoop: other.entries[index].isLoop) }
    }

    deinit { entries.deallocate() }

    /// The innermost value.
    @inline(__always)
    var current: UInt32 { entries[count &- 1].cell }

    /// The values from the innermost to the outermost.
    var cells: [UInt32] { (0..<count).reversed().map { entries[$0].cell } }

    /// Opens a value; `false` if too many are open.
    @inline(__always)
    mutating func push(_ cell: UInt32, isLoop: Bool) -> Bool {
        guard count < maximumCount else { return false }
        if count == capacity { grow() }
        entries[count] = Entry(cell: cell, isLoop: isLoop)
        count &+= 1
        return true
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
        larger.update(from: entries, count: count)
        entries.deallocate()
        entries = larger
        capacity *= 2
    }

    /// Goes on to the next element of a list; after the last, or for any other value, closes it. `false` if closed.
    @inline(__always)
    mutating func advance() -> Bool {
        let top = count &- 1
        if entries[top].isLoop {
            let next = tape.cells[Int(entries[top].cell)].next
            if next != 0 {
                entries[top].cell = next
                return true
            }
        }
        count = top
        return false
    }

    /// The cell of a name, from the innermost value outwards; 0 if there is none.
    @inline(__always)
    func find(_ name: UInt32) -> UInt32 {
        var index = count
        while index > 0 {
            index &-= 1
            let cell = tape.member(name, of: entries[index].cell)
            if cell != 0 { return cell }
        }
        return 0
    }
}

extension ValueTape {
    /// The most fields that an object may have without an index.
    private static var indexedCount: UInt32 { 24 }

    /// The cell of an object's field; 0 if it has none of this name, or is no object.
    @inline(__always)
    func member(_ name: UInt32, of object: UInt32) -> UInt32 {
        let object = cells + Int(object)
        guard object.pointee.kind == .object else { return 0 }
        guard object.pointee.count <= Self.indexedCount else { return indexedMember(name, of: object) }
        var cell = object.pointee.first
        while cell != 0, cells[Int(cell)].name != name { cell = cells[Int(cell)].next }
        return cell
    }

    /// Looks up a field of a large object in an index, made at the first look-up. A search would take longer the more
    /// fields there are.
    @inline(never)
    private func indexedMember(_ name: UInt32, of object: UnsafeMutablePointer<TapeCell>) -> UInt32 {
        let key = UInt32(truncatingIfNeeded: object - cells)
        if indexes[key] == nil {
            var index: [UInt32: UInt32] = [:]
            var cell = object.pointee.first
            while cell != 0 {
                if index[cells[Int(cell)].name] == nil { index[cells[Int(cell)].name] = cell }
                cell = cells[Int(cell)].next
            }
            indexes[key] = index
        }
        return indexes[key]?[name] ?? 0
    }
}
