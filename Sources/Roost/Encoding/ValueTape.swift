/// Values that have written themselves, laid out flat for JSON and templates to read.
///
/// All values are cells of one array, and all texts are in one buffer, so they cost few allocations. A `UInt32` that
/// stands for a value is its cell's index. The members of a container are linked to each other, because an `Encodable`
/// may write to several containers in turn.
///
/// Cell 0 is a nil that nobody reads: it takes what is written after a failure. Cell 1 is the ``root``.
///
/// A tape belongs to one encoding at a time. Its fields skip the run-time exclusivity check for that reason.
final class ValueTape {
    @exclusivity(unchecked) private(set) var cells: UnsafeMutablePointer<TapeCell>
    @exclusivity(unchecked) private var capacity: Int
    @exclusivity(unchecked) private(set) var count = 2
    /// The first error that could not be thrown where it happened.
    @exclusivity(unchecked) private(set) var failure: (any Error)?
    /// Values that are no data but functions, for those who read the tape and know them.
    @exclusivity(unchecked) private(set) var functions: [Any] = []
    /// The fields of large objects by name, by the object's cell. An object's are added at the first look-up in it.
    @exclusivity(unchecked) var indexes: [UInt32: [UInt32: UInt32]] = [:]
    let text = ByteBuffer(capacity: 4096)
    let names: NameTable
    @exclusivity(unchecked) var containers = TapeContainers()
    @exclusivity(unchecked) var shapes = TapeShapes()
    /// The `userInfo` of the encoder that values are given.
    @exclusivity(unchecked) var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// The ways of writing of the page's language, which the encoder has in its `userInfo` as well; nil for none.
    @exclusivity(unchecked) var language: (any AnyObject & Sendable)?
    @exclusivity(unchecked) var limits: TapeLimits
    /// The number of values that are being encoded inside each other.
    @exclusivity(unchecked) private var depth = 0

    static let root: UInt32 = 1

    /// The number of cells above which its memory is not kept.
    private static let keptCapacity = 4096
    /// The number of bytes of texts above which their memory is not kept.
    private static let keptText = 1 << 16

    /// - Parameter names: The names that are known from the start.
    init(names: NameTable = NameTable(), limits: TapeLimits = TapeLimits()) {
        self.names = names
        self.limits = limits
        capacity = 256
        cells = .allocate(capacity: capacity)
        cells.initialize(repeating: TapeCell(name: 0), count: 2)
    }

    deinit { cells.deallocate() }

    /// Forgets the values.
    /// - Returns: Whether others can be laid out here.
    func clear() -> Bool {
        cells.update(repeating: TapeCell(name: 0), count: 2)
        count = 2
        failure = nil
        depth = 0
        if !functions.isEmpty { functions = [] }
        if !indexes.isEmpty { indexes = [:] }
        if !userInfo.isEmpty { userInfo = [:] }
        language = nil
        text.removeAll()
        text.trim(to: Self.keptText)
        return capacity <= Self.keptCapacity
    }

    // MARK: Cells

    /// A new cell that is in no container. 0 if there are too many.
    func makeCell() -> UInt32 {
        guard count < capacity || grow() else { return 0 }
        let cell = UInt32(truncatingIfNeeded: count)
        cells[count] = TapeCell(name: 0)
        count &+= 1
        return cell
    }

    /// Adds a member to a container. Returns its cell, which is vacant; 0 if it fails.
    @inline(__always)
    func add(_ name: UInt32, to container: UInt32) -> UInt32 {
        guard container != 0, count < capacity || grow() else { return 0 }
        let cell = UInt32(truncatingIfNeeded: count)
        cells[count] = TapeCell(name: name)
        count &+= 1
        let parent = cells + Int(container)
        let last = parent.pointee.last
        if last == 0 {
            parent.pointee.payload = UInt64(cell) | UInt64(cell) &<< 32
        } else {
            cells[Int(last)].next = cell
            parent.pointee.payload = parent.pointee.payload & 0xFFFF_FFFF | UInt64(cell) &<< 32
        }
        parent.pointee.count &+= 1
        return cell
    }

    /// The same for a name from the source code.
    @inline(never)
    func add(_ name: StaticString, to container: UInt32) -> UInt32 { add(names.id(name), to: container) }

    /// The same for any name.
    @inline(never)
    func add(_ name: String, to container: UInt32) -> UInt32 { add(names.id(name), to: container) }

    /// Adds a member and lets a value write itself there. If that throws, the member is removed, so that code which
    /// catches the error can go on.
    @inline(__always)
    func add<Value: Encodable>(_ name: UInt32, to container: UInt32, _ value: Value) throws {
        let before = cells[Int(container)]
        do {
            try write(value, to: add(name, to: container))
        } catch {
            // The cell of whatever has failed already: its content means nothing, and no member was added.
            guard container != 0 else { throw error }
            cells[Int(container)] = before
            if before.last != 0 { cells[Int(before.last)].next = 0 }
            throw error
        }
    }

    @inline(never)
    private func grow() -> Bool {
        guard failure == nil, count < limits.values else {
            fail(TapeLimit.values)
            return false
        }
        let larger = UnsafeMutablePointer<TapeCell>.allocate(capacity: capacity * 2)
        larger.update(from: cells, count: count)
        cells.deallocate()
        cells = larger
        capacity *= 2
        return true
    }

    func fail(_ error: any Error) {
        if failure == nil { failure = error }
    }

    // MARK: Values

    /// Lets a value of any type write itself into a cell.
    @inline(__always)
    func write<Value: Encodable>(_ value: Value, to cell: UInt32) throws {
        guard depth < limits.depth else { throw TapeLimit.depth }
        depth &+= 1
        let mark = containers.used
        defer {
            depth &-= 1
            containers.giveBack(to: mark)
        }
        switch shapes.shape(of: Value.self) {
        case .encodable: try value.encode(to: TapeEncoder(tape: self, cell: cell))
        case .fields(let type): withUnsafePointer(to: value) { type.write($0, to: Fields(tape: self, object: cell)) }
        case .list(let type): try withUnsafePointer(to: value) { try writeList($0, of: type, to: cell) }
        case .known: try writeKnown(value, to: cell)
        case .named(let isUnordered):
            try value.encode(to: TapeEncoder(tape: self, cell: cell))
            cells[Int(cell)].hasDataNames = true
            cells[Int(cell)].isUnordered = isUnordered
        }
    }

    /// Lets a value write itself, and throws the first error, also one that could not be thrown where it happened.
    func writeWhole(_ value: some Encodable, to cell: UInt32) throws {
        do { try write(value, to: cell) } catch { throw failure ?? error }
        if let failure { throw failure }
    }

    /// Lets the elements of the array at an address write themselves, without a container and without copies.
    @inline(never)
    private func writeList(_ array: UnsafeRawPointer, of type: any SelfWriting.Type, to cell: UInt32) throws {
        guard depth < limits.depth else { throw TapeLimit.depth }
        guard open(cell, as: .list) else { throw second(at: cell) }
        depth &+= 1
        defer { depth &-= 1 }
        type.writeElements(of: array, to: self, cell)
    }

    @inline(__always)
    func set(_ cell: UInt32, _ kind: TapeCell.Kind, _ payload: UInt64 = 0) {
        cells[Int(cell)].kind = kind
        cells[Int(cell)].payload = payload
    }

    @inline(__always)
    func set(_ cell: UInt32, _ value: Int64) { set(cell, .int, UInt64(bitPattern: value)) }

    @inline(__always)
    func set(_ cell: UInt32, _ value: Bool) { set(cell, .bool, value ? 1 : 0) }

    @inline(__always)
    func set(_ cell: UInt32, _ value: Double) { set(cell, .double, value.bitPattern) }

    @inline(__always)
    func set(_ cell: UInt32, _ value: String, as kind: TapeCell.Kind = .text) {
        value.utf8Span.span.withUnsafeBufferPointer { set(cell, $0, as: kind) }
    }

    @inline(__always)
    func set(_ cell: UInt32, _ bytes: UnsafeBufferPointer<UInt8>, as kind: TapeCell.Kind) {
        set(cell, kind, UInt64(truncatingIfNeeded: text.count))
        cells[Int(cell)].count = UInt32(truncatingIfNeeded: bytes.count)
        guard bytes.count <= min(limits.text &- text.count, Int(UInt32.max)) else { return fail(TapeLimit.text) }
        guard let base = bytes.baseAddress else { return }
        // The memory goes on behind every text, because texts are read in whole words.
        text.reserve(bytes.count &+ ByteBuffer.padding)
        text.append(short: base, count: bytes.count)
    }

    func set(_ cell: UInt32, function: Any) {
        set(cell, .function, UInt64(functions.count))
        functions.append(function)
    }

    /// Makes a cell a container. It may be one already: a class and its superclass share one.
    /// - Returns: Whether it is one now; not if it has another value.
    @inline(__always)
    func open(_ cell: UInt32, as kind: TapeCell.Kind) -> Bool {
        if cells[Int(cell)].kind == kind { return true }
        guard cells[Int(cell)].kind == .vacant else { return false }
        set(cell, kind)
        cells[Int(cell)].count = 0
        return true
    }

    /// The cells of a container's members, in order.
    func members(of container: UInt32) -> [UInt32] {
        var (list, next) = ([UInt32](), cells[Int(container)].first)
        while next != 0 {
            list.append(next)
            next = cells[Int(next)].next
        }
        return list
    }

    /// Puts the members of a container, all of them, in another order.
    func reorder(_ container: UInt32, to members: [UInt32]) {
        guard let first = members.first, let last = members.last else { return }
        set(container, cells[Int(container)].kind, UInt64(first) | UInt64(last) &<< 32)
        for (cell, next) in zip(members, members.dropFirst()) { cells[Int(cell)].next = next }
        cells[Int(last)].next = 0
    }

    /// The bytes of a text.
    @inline(__always)
    func bytes(of cell: TapeCell) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: text.base + Int(cell.payload), count: Int(cell.count))
    }
}

/// The limits of one ``ValueTape``, which fails with a ``TapeLimit`` beyond them.
struct TapeLimits {
    /// The maximum number of cells. It is checked when the memory doubles, so up to twice as many may pass.
    var values = 1 << 31
    /// The maximum size of all texts together, in bytes.
    var text = 1 << 40
    /// The maximum depth of values that are encoded inside each other.
    var depth = 1000
}

/// The limit that a ``ValueTape`` has reached.
enum TapeLimit: Error {
    case values, text, depth
}
