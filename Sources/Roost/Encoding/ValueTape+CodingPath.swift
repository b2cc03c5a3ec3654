/// Coding paths. A cell knows its members, not its container, so a path is found by searching the tape for the cell.
/// That is slow, but only errors, and types that report where they failed, ask for one.
extension ValueTape {
    /// The keys that lead from the root to a cell.
    func codingPath(to cell: UInt32) -> [any CodingKey] {
        var path: [PathKey] = []
        var cell = cell
        while cell > Self.root, let (container, index) = container(of: cell) {
            let name = cells[Int(cell)].name
            let isMember = cells[Int(container)].kind == .object
            path.append(isMember ? PathKey(stringValue: names.name(name)) : PathKey(intValue: index))
            cell = container
        }
        return path.reversed()
    }

    /// The container that a cell is a member of. It has a lower number, because a container is made before its members.
    private func container(of cell: UInt32) -> (UInt32, index: Int)? {
        for candidate in (Self.root..<cell).reversed() {
            let kind = cells[Int(candidate)].kind
            guard kind == .object || kind == .list else { continue }
            if let index = members(of: candidate).firstIndex(of: cell) { return (candidate, index) }
        }
        return nil
    }
}
