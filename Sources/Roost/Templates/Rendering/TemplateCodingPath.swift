/// Coding paths. A cell knows its members, not its container, so a path is found by searching the page for the cell.
/// That is slow, but only types that report where they failed ask for one.
extension TemplateTape {
    /// The keys that lead from the page to a cell.
    func codingPath(to cell: UInt32) -> [any CodingKey] {
        var path: [TemplateCodingKey] = []
        var cell = cell
        while cell > Self.page, let (container, index) = container(of: cell) {
            let name = names.name(cells[Int(cell)].name)
            path.insert(TemplateCodingKey(stringValue: name, intValue: name.isEmpty ? index : nil), at: 0)
            cell = container
        }
        return path
    }

    /// The container that a cell is a member of. It has a lower number, because a container is made before its members.
    private func container(of cell: UInt32) -> (UInt32, index: Int)? {
        for candidate in (Self.page..<cell).reversed() {
            let kind = cells[Int(candidate)].kind
            guard kind == .object || kind == .list else { continue }
            var (member, index) = (cells[Int(candidate)].first, 0)
            while member != 0 {
                if member == cell { return (candidate, index) }
                (member, index) = (cells[Int(member)].next, index + 1)
            }
        }
        return nil
    }
}

/// A step of a coding path: a field's name or an element's index.
private struct TemplateCodingKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String, intValue: Int?) {
        self.stringValue = intValue.map { "Index \($0)" } ?? stringValue
        self.intValue = intValue
    }

    init?(stringValue: String) { self.init(stringValue: stringValue, intValue: nil) }
    init?(intValue: Int) { self.init(stringValue: "", intValue: intValue) }
}
