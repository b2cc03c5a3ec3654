/// Names and the small numbers that stand for them while rendering; 0 stands for no name.
struct TemplateNameTable: Sendable {
    private(set) var names = [""]
    private var ids: [String: UInt32] = [:]

    var count: UInt32 { UInt32(truncatingIfNeeded: names.count) }

    /// The number of a name; nil when it has none.
    func id(of name: String) -> UInt32? { ids[name] }

    /// The number of a name, which is given one when it has none.
    mutating func intern(_ name: String) -> UInt32 {
        if let id = ids[name] { return id }
        let id = count
        names.append(name)
        ids[name] = id
        return id
    }
}
