/// The tree of routes while it is built: easy to add to. ``RouteTree`` is the same in flat arrays, quick to search.
final class RouteBranch {
    /// The branches of literal segments, in the order in which a search compares them.
    private(set) var literals: [(name: [UInt8], branch: RouteBranch)] = []
    /// The branches of parameters, in the order in which they are tried.
    private(set) var parameters: [(segment: SegmentParameter, branch: RouteBranch)] = []
    /// The endpoints that handle requests for exactly this path.
    var endpoints: [Route.Endpoint] = []
    /// The scope of all paths from here on that no endpoint matches; nil for the parent's.
    var scope: Int?

    /// The branch of a path, which is created if it does not exist.
    func branch(_ segments: [RouteSegment]) -> RouteBranch { segments.reduce(self) { $0.branch($1) } }

    private func branch(_ segment: RouteSegment) -> RouteBranch {
        switch segment {
        case .parameter(let parameter): self.parameter(parameter)
        case .literal(let name): literal(name)
        }
    }

    private func parameter(_ segment: SegmentParameter) -> RouteBranch {
        if let same = parameters.first(where: { $0.segment.isSame(as: segment) }) { return same.branch }
        let branch = RouteBranch()
        let place = parameters.firstIndex { segment.precedes($0.segment) } ?? parameters.count
        parameters.insert((segment, branch), at: place)
        return branch
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
