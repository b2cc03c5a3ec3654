/// The tree of routes while it grows: easy to add to. ``RouteTree`` is the same in flat arrays, quick to search.
final class RouteBranch {
    /// The branches behind literal segments, in the order in which a search compares them.
    private(set) var literals: [(name: [UInt8], branch: RouteBranch)] = []
    /// The branch behind a parameter.
    private(set) var parameter: RouteBranch?
    /// What answers here.
    var endpoints: [Route.Endpoint] = []

    /// The branch behind a segment, a new one if there is none yet.
    func branch(_ segment: RouteSegment) -> RouteBranch {
        switch segment {
        case .parameter:
            let branch = parameter ?? RouteBranch()
            parameter = branch
            return branch
        case .literal(let text): return literal(Array(text.utf8))
        }
    }

    private func literal(_ name: [UInt8]) -> RouteBranch {
        let place = literals.firstIndex { !Self.precedes($0.name, name) } ?? literals.count
        if place < literals.count, literals[place].name == name { return literals[place].branch }
        let branch = RouteBranch()
        literals.insert((name, branch), at: place)
        return branch
    }

    /// By length, then by bytes.
    private static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count != right.count ? left.count < right.count : left.lexicographicallyPrecedes(right)
    }
}
