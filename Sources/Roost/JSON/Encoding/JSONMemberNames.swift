/// The names of members as they stand in a text: converted, escaped, in quotation marks and with a colon. Each is made
/// once.
final class JSONMemberNames {
    private struct Entry: BitwiseCopyable {
        /// The place in ``texts``; its count is 0 for a name that has not been made.
        var offset: UInt32 = 0
        var count: UInt32 = 0
        /// The id of the name in snake case; 0 where it has not been looked up.
        var converted: UInt32 = 0
        /// The object in which the name was met last.
        var object: UInt64 = 0
    }

    private let names: NameTable
    private let texts = ByteBuffer(capacity: 512)
    /// By the names' ids.
    @exclusivity(unchecked) private var entries: UnsafeMutablePointer<Entry>
    @exclusivity(unchecked) private var capacity = 64
    private var isSafeInHTML = false
    private var isPretty = false

    init(_ names: NameTable) {
        self.names = names
        entries = .allocate(capacity: capacity)
        entries.initialize(repeating: Entry(), count: capacity)
    }

    deinit { entries.deallocate() }

    /// Forgets the texts if names are to be escaped in another way, or if their colons are to have spaces around.
    func prepare(isSafeInHTML: Bool, isPretty: Bool) {
        guard self.isSafeInHTML != isSafeInHTML || self.isPretty != isPretty else { return }
        (self.isSafeInHTML, self.isPretty) = (isSafeInHTML, isPretty)
        for id in 0..<capacity { entries[id].count = 0 }
        texts.removeAll()
    }

    /// Notes that an object has a name.
    /// - Parameter object: A number that no other object has had.
    /// - Returns: Whether it is the first time.
    @inline(__always)
    func note(_ id: UInt32, in object: UInt64) -> Bool {
        if id >= capacity { grow() }
        let entry = entries + Int(id)
        guard entry.pointee.object != object else { return false }
        entry.pointee.object = object
        return true
    }

    /// Appends a name that has been noted, and its colon.
    @inline(__always)
    func append(_ id: UInt32, to output: ByteBuffer) {
        let entry = entries + Int(id)
        if entry.pointee.count == 0 { make(id) }
        // Before the text grows, its memory goes on behind the name.
        output.append(padded: texts.base + Int(entry.pointee.offset), count: Int(entry.pointee.count))
    }

    @inline(never)
    private func make(_ id: UInt32) {
        let start = texts.count
        JSONEscaping.append(padded: names.utf8(of: id), to: texts, isSafeInHTML: isSafeInHTML)
        texts.append(isPretty ? " : " : ":")
        texts.reserve(ByteBuffer.padding)
        entries[Int(id)].offset = UInt32(truncatingIfNeeded: start)
        entries[Int(id)].count = UInt32(truncatingIfNeeded: texts.count - start)
    }

    /// The id of a name in snake case.
    @inline(never)
    func snakeCase(_ id: UInt32) -> UInt32 {
        if id >= capacity { grow() }
        if entries[Int(id)].converted == 0 {
            entries[Int(id)].converted = names.id(JSONSnakeCase.of(names.name(id)))
        }
        return entries[Int(id)].converted
    }

    private func grow() {
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: names.count * 2)
        larger.initialize(repeating: Entry(), count: names.count * 2)
        larger.update(from: entries, count: capacity)
        entries.deallocate()
        entries = larger
        capacity = names.count * 2
    }
}
