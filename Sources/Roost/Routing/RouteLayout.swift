/// The flat arrays of a ``RouteTree`` while they are built.
struct RouteLayout {
    /// A node of the tree: the places of its children and leaves in the arrays.
    struct Node: BitwiseCopyable {
        var firstLiteral = 0
        var literalCount = 0
        var firstParameter = 0
        var parameterCount = 0
        var firstLeaf = 0
        var leafCount = 0
        var methods = MethodSet()
        /// The index of its scope; -1 for its parent's.
        var scope = -1
    }

    /// A literal child: its name in ``names``, and its node.
    struct Literal: BitwiseCopyable {
        var start: Int
        var count: Int
        var node: Int
    }

    /// A parameter's child: the texts before and after it in ``names``, and its node.
    struct Parameter: BitwiseCopyable {
        var start: Int
        var prefixCount: Int
        var suffixCount: Int
        /// Its index in ``checks``; -1 when it accepts every segment.
        var check: Int
        var takesRest: Bool
        var node: Int
    }

    var nodes: [Node] = []
    var literals: [Literal] = []
    var parameters: [Parameter] = []
    var names: [UInt8] = []
    var checks: [SegmentCheck] = []
    var leaves: [Route.Leaf] = []
    let methods: MethodTable

    init(_ root: RouteBranch, _ methods: MethodTable) {
        self.methods = methods
        add(root)
    }

    /// Lays a branch out, and returns its node.
    @discardableResult
    private mutating func add(_ branch: RouteBranch) -> Int {
        let index = nodes.count
        let (firstLiteral, firstParameter) = (literals.count, parameters.count)
        nodes.append(
            Node(
                firstLiteral: firstLiteral,
                literalCount: branch.literals.count,
                firstParameter: firstParameter,
                parameterCount: branch.parameters.count,
                firstLeaf: leaves.count,
                leafCount: branch.leaves.count,
                methods: branch.leaves.reduce(MethodSet()) { $0.union(methods.set(of: $1.method)) },
                scope: branch.scope ?? -1
            )
        )
        leaves += branch.leaves
        for (name, _) in branch.literals {
            literals.append(Literal(start: names.count, count: name.count, node: -1))
            names += name
        }
        for (segment, _) in branch.parameters { append(segment) }
        for (offset, literal) in branch.literals.enumerated() {
            literals[firstLiteral + offset].node = add(literal.branch)
        }
        for (offset, parameter) in branch.parameters.enumerated() {
            parameters[firstParameter + offset].node = add(parameter.branch)
        }
        return index
    }

    private mutating func append(_ segment: SegmentParameter) {
        var index = -1
        if let check = segment.kind.check {
            index = checks.count
            checks.append(check)
        }
        parameters.append(
            Parameter(
                start: names.count,
                prefixCount: segment.prefix.count,
                suffixCount: segment.suffix.count,
                check: index,
                takesRest: segment.kind.takesRest,
                node: -1
            )
        )
        names += segment.prefix + segment.suffix
    }
}

/// The tree of routes while it is built: easy to add to. ``RouteTree`` is the same in flat arrays, quick to search.
final class RouteBranch {
    /// The branches of literal segments, in the order in which a search compares them.
    private(set) var literals: [(name: [UInt8], branch: RouteBranch)] = []
    /// The branches of parameters, in the order in which they are tried.
    private(set) var parameters: [(segment: SegmentParameter, branch: RouteBranch)] = []
    /// The leaves that handle requests for exactly this path.
    var leaves: [Route.Leaf] = []
    /// The scope of all paths from here on that no leaf matches; nil for the parent's.
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
