/// The names of one rendering: those of the templates, and those that only the page has.
///
/// Pages repeat themselves: after `id` comes `name`, for each of a hundred users. So each name remembers which one
/// followed it, and a name that is the expected one is recognised without hashing.
final class TemplateNames {
    private(set) var table: TemplateNameTable
    /// Names from here on are not in any template.
    let firstUnused: UInt32
    /// What came after each name; memory of its own, because it is read for each field.
    @exclusivity(unchecked) private var followers: UnsafeMutablePointer<Follower>
    @exclusivity(unchecked) private var capacity: Int
    @exclusivity(unchecked) private var previous = 0

    /// A name as it came last: its id, and how it was spelt.
    private struct Follower {
        var id: UInt32 = 0
        var key = ""
        var literal: UnsafePointer<UInt8>?
    }

    init(_ table: TemplateNameTable) {
        self.table = table
        firstUnused = table.count
        capacity = Int(table.count)
        followers = .allocate(capacity: capacity)
        followers.initialize(repeating: Follower(), count: capacity)
    }

    deinit {
        followers.deinitialize(count: capacity)
        followers.deallocate()
    }

    /// The id of a coding key's name.
    @inline(__always)
    func id(_ key: String) -> UInt32 {
        let expected = followers + previous
        guard expected.pointee.key == key, expected.pointee.id != 0 else { return learn(key) }
        previous = Int(expected.pointee.id)
        return expected.pointee.id
    }

    /// The id of a name that is written in the source: the same literal is the same bytes.
    @inline(__always)
    func id(_ name: StaticString) -> UInt32 {
        let expected = followers + previous
        guard name.hasPointerRepresentation, expected.pointee.literal == name.utf8Start else { return learn(name) }
        previous = Int(expected.pointee.id)
        return expected.pointee.id
    }

    @inline(never)
    private func learn(_ name: StaticString) -> UInt32 {
        let before = previous
        let id = learn(name.description)
        if name.hasPointerRepresentation { followers[before].literal = name.utf8Start }
        return id
    }

    @inline(never)
    private func learn(_ key: String) -> UInt32 {
        let id = table.intern(key)
        makeRoom()
        followers[previous] = Follower(id: id, key: key)
        previous = Int(id)
        return id
    }

    /// Takes over the names that a template brought which was compiled while rendering.
    func adopt(_ table: TemplateNameTable) {
        self.table = table
        makeRoom()
    }

    private func makeRoom() {
        guard table.count > capacity else { return }
        let larger = UnsafeMutablePointer<Follower>.allocate(capacity: Int(table.count) * 2)
        larger.moveInitialize(from: followers, count: capacity)
        (larger + capacity).initialize(repeating: Follower(), count: Int(table.count) * 2 - capacity)
        followers.deallocate()
        followers = larger
        capacity = Int(table.count) * 2
    }
}
