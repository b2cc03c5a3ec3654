/// Names, and the ids that stand for them while rendering; 0 stands for no name.
struct TemplateNameTable: Sendable {
    private(set) var names = [""]
    private var ids: [String: UInt32] = [:]

    var count: UInt32 { UInt32(truncatingIfNeeded: names.count) }

    /// The id of a name; nil if it has none.
    func id(of name: String) -> UInt32? { ids[name] }

    /// The id of a name. A name without one gets the next.
    mutating func intern(_ name: String) -> UInt32 {
        if let id = ids[name] { return id }
        let id = count
        names.append(name)
        ids[name] = id
        return id
    }
}
