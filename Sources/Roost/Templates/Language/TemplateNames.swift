/// The names of one rendering: those of all templates, which all renderings share, and those that only its page has.
///
/// A page writes its fields' names, and gets ids. Pages repeat themselves: after `id` comes `name`, for each of a
/// hundred users. So each name remembers which two followed it last (after the last field of a user comes the first of
/// the next one, or what comes after the users), and when one of them comes again, it is recognised without hashing.
/// The memory of a rendering grows with the names that it meets. Of all templates' names, each takes only four bytes.
final class TemplateNames {
    private var shared: TemplateNameTable
    /// The names that only the page has, made when the first one comes. Their ids follow the shared ones.
    private var own: TemplateNameTable?
    /// How many bytes the page's own names have.
    private var ownSize = 0
    /// Whether the shared names have become those of one rendering.
    private var isAdopted = false
    /// Names from here on are not in any template.
    let firstUnused: UInt32
    /// The names that were met, in the order of their first use; the first entry is no name. It is plain memory,
    /// because it is read for each field.
    @exclusivity(unchecked) private var met = UnsafeMutablePointer<Met>.allocate(capacity: 16)
    @exclusivity(unchecked) private var metCount = 0
    @exclusivity(unchecked) private var metCapacity = 16
    /// The index in `met` of the name that came last.
    @exclusivity(unchecked) private var last = 0
    /// The index in `met` of each name, by id; 0 for a name that was not met.
    private var places: UnsafeMutablePointer<UInt32>
    private var placesCapacity: Int

    /// A name that was met.
    private struct Met {
        let id: UInt32
        /// The index in `met` of the name that followed this one last; 0 for none.
        var follower: UInt32 = 0
        /// The one that did so before.
        var other: UInt32 = 0
        let key: String
        /// Where the name's literal is in memory, if it came from one.
        var literal: UnsafePointer<UInt8>?
    }

    init(_ table: TemplateNameTable) {
        shared = table
        firstUnused = table.count
        placesCapacity = Int(table.count) + 16
        places = .allocate(capacity: placesCapacity)
        places.initialize(repeating: 0, count: placesCapacity)
        _ = meet(0, "")
    }

    deinit {
        met.deinitialize(count: metCount)
        met.deallocate()
        places.deallocate()
    }

    /// How many bytes the pages' own names may have for the next page to know them, too.
    private static let keptOwn = 4096

    /// Begins anew, with the names that are known.
    /// - Returns: Whether they are few, and every page's.
    func clear() -> Bool {
        last = 0
        return !isAdopted && ownSize <= Self.keptOwn
    }

    /// How a name is spelt.
    func name(_ id: UInt32) -> String {
        if id < shared.count { return shared.names[Int(id)] }
        return own?.names[Int(id - shared.count) + 1] ?? ""
    }

    /// All names by their ids, for a template that is compiled while rendering.
    var table: TemplateNameTable {
        var table = shared
        for name in own?.names.dropFirst() ?? [] { _ = table.intern(name) }
        return table
    }

    /// Takes over the names after a template was compiled while rendering; it may have brought new ones.
    func adopt(_ table: TemplateNameTable) {
        shared = table
        own = nil
        isAdopted = true
    }

    // MARK: Ids

    /// The id of a coding key's name.
    @inline(__always)
    func id(_ key: String) -> UInt32 {
        let place = Int(met[last].follower)
        guard place != 0, met[place].key == key else { return learn(key) }
        last = place
        return met[place].id
    }

    /// The id of a name from the source code. The same literal has the same address, so no bytes are compared.
    @inline(__always)
    func id(_ name: StaticString) -> UInt32 {
        let place = Int(met[last].follower)
        guard name.hasPointerRepresentation, met[place].literal == name.utf8Start else { return again(name) }
        last = place
        return met[place].id
    }

    /// The same for a name that has followed before, if it is one, or else for any.
    @inline(never)
    private func again(_ name: StaticString) -> UInt32 {
        let place = Int(met[last].other)
        guard name.hasPointerRepresentation, met[place].literal == name.utf8Start else { return learn(name) }
        met[last].other = met[last].follower
        met[last].follower = UInt32(truncatingIfNeeded: place)
        last = place
        return met[place].id
    }

    @inline(never)
    private func learn(_ name: StaticString) -> UInt32 {
        guard name.hasPointerRepresentation else { return learn(name.description) }
        let bytes = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        let id = shared.id(of: bytes) ?? intern(name.description)
        follow(with: id)
        met[last].literal = name.utf8Start
        return id
    }

    @inline(never)
    private func learn(_ key: String) -> UInt32 {
        let id = intern(key)
        follow(with: id)
        return id
    }

    /// Remembers which name has followed the last one.
    private func follow(with id: UInt32) {
        let known = id < placesCapacity ? places[Int(id)] : 0
        let place = known == 0 ? meet(id, name(id)) : known
        met[last].other = met[last].follower
        met[last].follower = place
        last = Int(place)
    }

    private func intern(_ key: String) -> UInt32 {
        if let id = shared.id(of: key) { return id }
        if own == nil { own = TemplateNameTable() }
        ownSize += key.utf8.count + MemoryLayout<String>.size
        return shared.count - 1 + (own?.intern(key) ?? 0)
    }

    /// Adds a name that comes for the first time. Returns its index in `met`.
    private func meet(_ id: UInt32, _ key: String) -> UInt32 {
        if metCount == metCapacity { growMet() }
        if id >= placesCapacity { growPlaces(beyond: Int(id)) }
        (met + metCount).initialize(to: Met(id: id, key: key))
        places[Int(id)] = UInt32(truncatingIfNeeded: metCount)
        metCount += 1
        return places[Int(id)]
    }

    private func growMet() {
        let larger = UnsafeMutablePointer<Met>.allocate(capacity: metCapacity * 2)
        larger.moveInitialize(from: met, count: metCount)
        met.deallocate()
        met = larger
        metCapacity *= 2
    }

    private func growPlaces(beyond id: Int) {
        let capacity = max(placesCapacity * 2, id + 1)
        let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
        larger.update(from: places, count: placesCapacity)
        (larger + placesCapacity).initialize(repeating: 0, count: capacity - placesCapacity)
        places.deallocate()
        places = larger
        placesCapacity = capacity
    }
}
