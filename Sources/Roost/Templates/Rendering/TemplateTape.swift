/// One value of a page: a row in the ``TemplateTape``.
struct TemplateCell {
    enum Kind: UInt8 {
        case null, bool, int, uint, double, text, object, list, lambda
        /// A field that no template names. It is known to be there, but was not encoded.
        case unused
    }

    /// The id of the field's name; 0 for an element of a list.
    var name: UInt32
    /// The cell of the next field or element of the same container; 0 after the last.
    var next: UInt32 = 0
    var kind = Kind.null
    /// How many bytes a text has, or how many members a container has.
    var count: UInt32 = 0
    /// A number's bits, a text's offset, a lambda's index, or a container's first (low half) and last (high half)
    /// member.
    var payload: UInt64 = 0

    @inline(__always) var first: UInt32 { UInt32(truncatingIfNeeded: payload) }
    @inline(__always) var last: UInt32 { UInt32(truncatingIfNeeded: payload &>> 32) }
}

/// The values of a page, laid out flat for templates to read.
///
/// All values are cells of one array, and all texts are in one buffer, so a page costs few allocations. A `UInt32` that
/// stands for a value is its cell's index. The members of a container are linked to each other, because an `Encodable`
/// may write to several containers in turn.
///
/// Cell 0 is the nil that a missing name stands for. After a failure it also takes what is written, but then nothing is
/// rendered. Cell 1 is the page.
final class TemplateTape {
    @exclusivity(unchecked) private(set) var cells: UnsafeMutablePointer<TemplateCell>
    @exclusivity(unchecked) private var capacity: Int
    @exclusivity(unchecked) private(set) var count = 2
    /// The first error. It is kept, because types write themselves without `try`.
    @exclusivity(unchecked) private(set) var failure: (any Error)?
    /// How many values are being encoded inside each other.
    @exclusivity(unchecked) var depth = 0
    /// Whether fields that no template names are not encoded. That is so if no lambda can bring a text with new names.
    var skipsUnused = false
    @exclusivity(unchecked) private(set) var lambdas: [TemplateLambda] = []
    /// The fields of large objects by name, by the object's cell. An object's are added at the first look-up in it.
    @exclusivity(unchecked) var indexes: [UInt32: [UInt32: UInt32]] = [:]
    let text = ByteBuffer(capacity: 4096)
    let names: TemplateNames
    @exclusivity(unchecked) var containers = KeyedContainers<TemplateTape, UInt32>()
    let limits: TemplateLimits
    /// How the values of each type are written: by themselves, or (nil) by `encode(to:)`. The runtime is asked once,
    /// since to ask takes longer than to write most values.
    @exclusivity(unchecked) var types = TypeTable<(any TemplateData.Type)?>()
    /// Whether a field was left out because no template names it.
    @exclusivity(unchecked) private(set) var hasSkipped = false

    static let page: UInt32 = 1

    /// With more cells than this, its memory is not kept.
    private static let keptCapacity = 4096
    /// With more bytes of texts than this, their memory is not kept.
    private static let keptText = 1 << 16

    init(names: TemplateNames, limits: TemplateLimits) {
        self.names = names
        self.limits = limits
        capacity = 256
        cells = .allocate(capacity: capacity)
        cells.initialize(repeating: TemplateCell(name: 0), count: 2)
    }

    deinit { cells.deallocate() }

    /// Forgets the page.
    /// - Returns: Whether another one can be laid out here.
    func clear() -> Bool {
        cells.update(repeating: TemplateCell(name: 0), count: 2)
        count = 2
        failure = nil
        depth = 0
        hasSkipped = false
        if !lambdas.isEmpty { lambdas = [] }
        if !indexes.isEmpty { indexes = [:] }
        text.removeAll()
        text.trim(to: Self.keptText)
        return names.canBeKept && capacity <= Self.keptCapacity
    }

    /// Adds a member to a container. Returns its cell, which is nil until something is written there. 0 if it fails.
    @inline(__always)
    func add(_ name: UInt32, to container: UInt32) -> UInt32 {
        guard container != 0, count < capacity || grow() else { return 0 }
        let cell = UInt32(truncatingIfNeeded: count)
        cells[count] = TemplateCell(name: name)
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

    /// Writes the values in which names are looked up that the page does not have. Returns their cell.
    func write(root values: any Encodable & Sendable) throws -> UInt32 {
        guard count < capacity || grow() else { return 0 }
        let cell = UInt32(truncatingIfNeeded: count)
        cells[count] = TemplateCell(name: 0)
        count &+= 1
        try TemplateEncoder(tape: self, cell: cell).write(any: values)
        return cell
    }

    @inline(never)
    private func grow() -> Bool {
        guard failure == nil, count < limits.values else {
            fail(TemplateError("the page has more than \(limits.values) values: show less of it, page by page"))
            return false
        }
        let larger = UnsafeMutablePointer<TemplateCell>.allocate(capacity: capacity * 2)
        larger.update(from: cells, count: count)
        cells.deallocate()
        cells = larger
        capacity *= 2
        return true
    }

    /// Leaves out a field that no template names.
    func skip(_ cell: UInt32) {
        hasSkipped = true
        set(cell, .unused, 0)
    }

    func fail(_ error: any Error) {
        if failure == nil { failure = error }
    }

    func fail(_ error: TemplateError) { fail(error as any Error) }

    // MARK: Values

    @inline(__always)
    func set(_ cell: UInt32, _ kind: TemplateCell.Kind, _ payload: UInt64) {
        cells[Int(cell)].kind = kind
        cells[Int(cell)].payload = payload
    }

    @inline(__always)
    func set(_ cell: UInt32, _ value: Int64) {
        set(cell, .int, UInt64(bitPattern: value))
    }

    @inline(__always)
    func set(_ cell: UInt32, _ value: Bool) { set(cell, .bool, value ? 1 : 0) }

    @inline(__always)
    func set(_ cell: UInt32, _ value: Double) { set(cell, .double, value.bitPattern) }

    @inline(__always)
    func set(_ cell: UInt32, _ value: String) {
        if value.utf8.withContiguousStorageIfAvailable({ set(cell, $0) }) == nil {
            Array(value.utf8).withUnsafeBufferPointer { set(cell, $0) }
        }
    }

    @inline(__always)
    private func set(_ cell: UInt32, _ bytes: UnsafeBufferPointer<UInt8>) {
        set(cell, .text, UInt64(truncatingIfNeeded: text.count))
        cells[Int(cell)].count = UInt32(truncatingIfNeeded: bytes.count)
        append(bytes)
    }

    /// Keeps a text's bytes. All texts of a page together may have as many as a rendering may write.
    @inline(__always)
    private func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count <= limits.output &- text.count else { return failLarge() }
        guard let base = bytes.baseAddress else { return }
        // The memory goes on behind every text, because texts are written eight bytes at a time.
        text.reserve(bytes.count &+ HTMLEscaping.padding)
        text.append(short: base, count: bytes.count)
    }

    @inline(never)
    private func failLarge() {
        fail(TemplateError("the page's texts have more than \(limits.output) bytes: show less, page by page"))
    }

    func set(_ cell: UInt32, _ lambda: TemplateLambda) {
        set(cell, .lambda, UInt64(lambdas.count))
        lambdas.append(lambda)
    }

    /// Makes a cell a container, unless it is one already: a class and its superclass may share one.
    @inline(__always)
    func open(_ cell: UInt32, as kind: TemplateCell.Kind) {
        guard cells[Int(cell)].kind != kind else { return }
        cells[Int(cell)].kind = kind
        cells[Int(cell)].count = 0
        cells[Int(cell)].payload = 0
    }
}
