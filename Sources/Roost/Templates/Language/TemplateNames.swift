/// The names of one rendering: those of all templates, which all renderings share, and those that only its page has.
///
/// A page writes its fields' names, and gets ids. Names are compared by their bytes.
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

    init(_ table: TemplateNameTable) {
        shared = table
        firstUnused = table.count
    }

    /// How many bytes the pages' own names may have for the next page to know them, too.
    private static let keptOwn = 4096

    /// Whether the names are few, and every page's, so that the next page may use them.
    var canBeKept: Bool { !isAdopted && ownSize <= Self.keptOwn }

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
        var key = key
        return key.withUTF8 { id(of: $0) }
    }

    /// The id of a name from the source code.
    @inline(__always)
    func id(_ name: StaticString) -> UInt32 {
        guard name.hasPointerRepresentation else { return id(name.description) }
        return id(of: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    @inline(__always)
    private func id(of name: UnsafeBufferPointer<UInt8>) -> UInt32 { shared.id(of: name) ?? ownID(of: name) }

    @inline(never)
    private func ownID(of name: UnsafeBufferPointer<UInt8>) -> UInt32 {
        if let id = own?.id(of: name) { return shared.count - 1 + id }
        if own == nil { own = TemplateNameTable() }
        ownSize += name.count + MemoryLayout<String>.size
        return shared.count - 1 + (own?.intern(String(decoding: name, as: UTF8.self)) ?? 0)
    }
}
