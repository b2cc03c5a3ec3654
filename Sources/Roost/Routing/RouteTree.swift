import Glibc
import HTTPTypes

// Routes as a tree of path segments in flat arrays of plain values, made once at start, so that a search touches no
// reference count. A node's literal children are sorted, so that a thousand routes cost about what ten cost. A literal
// segment is preferred to a parameter; when the way through the literal ends without an endpoint for the method, the
// parameter's is tried: `/users/new` and `/users/:` live together.

/// Finds the endpoint of a path and method.
///
/// A class, so that a search borrows its arrays; a struct's would be retained one by one.
final class RouteTree: Sendable {
    /// Where a node's literal children, its parameter's child and its endpoints are; -1 for no child.
    private struct Node: BitwiseCopyable {
        var firstLiteral = 0
        var literalCount = 0
        var parameter = -1
        var firstEndpoint = 0
        var endpointCount = 0
        var methods = MethodSet()
    }

    /// A literal child: its name in ``names``, and its node.
    private struct Literal: BitwiseCopyable {
        var start: Int
        var count: Int
        var node: Int
    }

    /// What two routes must not have in common.
    private struct Shape: Hashable {
        let method: HTTPRequest.Method
        let segments: [RouteSegment]
    }

    /// What a search has found.
    enum Match {
        /// The place of the endpoint in ``endpoints``.
        case endpoint(Int)
        /// The path is known, with other methods.
        case otherMethods(Set<HTTPRequest.Method>)
        case none
    }

    /// The arrays while they grow.
    private struct Layout {
        var nodes: [Node] = []
        var literals: [Literal] = []
        var names: [UInt8] = []
        var endpoints: [Route.Endpoint] = []
        var methods: MethodTable
    }

    /// What answers.
    let endpoints: [Route.Endpoint]
    private let methods: MethodTable
    /// The methods of ``endpoints``.
    private let endpointMethods: FrozenArray<MethodSet>
    private let nodes: FrozenArray<Node>
    private let literals: FrozenArray<Literal>
    /// The names of all literals, one behind the other.
    private let names: FrozenArray<UInt8>

    /// - Throws: ``ConfigurationMistake`` when two routes answer the same requests.
    init(_ routes: [Route]) throws(ConfigurationMistake) {
        let root = RouteBranch()
        var declared: [Shape: Route] = [:]
        for route in routes {
            let shape = Shape(method: route.endpoint.method, segments: route.segments)
            if let other = declared.updateValue(route, forKey: shape) {
                throw ConfigurationMistake(
                    "Two routes answer \(route.declared): one declared at \(other.source), the other at "
                        + "\(route.source). Remove one, or give it another path or method."
                )
            }
            route.segments.reduce(root) { $0.branch($1) }.endpoints.append(route.endpoint)
        }
        var layout = Layout(methods: try MethodTable(routes.map(\.endpoint.method)))
        Self.add(root, to: &layout)
        endpoints = layout.endpoints
        methods = layout.methods
        endpointMethods = FrozenArray(layout.endpoints.map { layout.methods.set(of: $0.method) })
        nodes = FrozenArray(layout.nodes)
        literals = FrozenArray(layout.literals)
        names = FrozenArray(layout.names)
    }

    /// Lays a branch out, and returns its node.
    @discardableResult
    private static func add(_ branch: RouteBranch, to layout: inout Layout) -> Int {
        let index = layout.nodes.count
        let first = layout.literals.count
        layout.nodes.append(
            Node(
                firstLiteral: first,
                literalCount: branch.literals.count,
                firstEndpoint: layout.endpoints.count,
                endpointCount: branch.endpoints.count,
                methods: branch.endpoints.reduce(MethodSet()) { $0.union(layout.methods.set(of: $1.method)) }
            )
        )
        layout.endpoints += branch.endpoints
        for (name, _) in branch.literals {
            layout.literals.append(Literal(start: layout.names.count, count: name.count, node: -1))
            layout.names += name
        }
        for (offset, literal) in branch.literals.enumerated() {
            layout.literals[first + offset].node = add(literal.branch, to: &layout)
        }
        if let parameter = branch.parameter { layout.nodes[index].parameter = add(parameter, to: &layout) }
        return index
    }

    /// The endpoint for a request, whose captures are then set.
    func match(_ request: borrowing Request) -> Match {
        let path = Path(request)
        if path.isEmpty { return .none }  // the asterisk form is no path, and not the root's
        let method = methods.set(of: request)
        let wanted = method == .head ? method.union(.get) : method
        var captures = PathCaptures()
        var seen = MethodSet()
        if let node = descend(from: 0, at: path.start, path, wanted, &captures, &seen) {
            request.setCaptures(captures)
            return .endpoint(endpoint(of: node, method) ?? endpoint(of: node, wanted) ?? 0)
        }
        return seen.isEmpty ? .none : .otherMethods(methods.methods(in: seen))
    }

    /// Every method that any route has.
    var allMethods: Set<HTTPRequest.Method> { Set(endpoints.map(\.method)) }

    private func endpoint(of index: Int, _ wanted: MethodSet) -> Int? {
        let node = nodes[index]
        for place in node.firstEndpoint..<node.firstEndpoint + node.endpointCount
        where !endpointMethods[place].isDisjoint(with: wanted) { return place }
        return nil
    }

    /// A path while it is searched for: where it lies in its message, which outlives the search.
    private struct Path {
        let base: UnsafePointer<UInt8>
        let start: Int
        let end: Int
        let isEncoded: Bool

        init(_ request: borrowing Request) {
            let head = request.head
            base = UnsafePointer(request.bytes.base)
            start = Int(head.path.start)
            end = Int(head.path.end)
            isEncoded = head.pathIsEncoded
        }

        var isEmpty: Bool { start == end }

        /// The segment that begins behind a slash.
        func segment(behind slash: Int) -> ByteRange {
            guard let next = memchr(base + slash + 1, 0x2F, end - slash - 1) else { return ByteRange(slash + 1, end) }
            return ByteRange(slash + 1, UnsafeRawPointer(base).distance(to: next))
        }

        func bytes(_ segment: ByteRange) -> UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(start: base + Int(segment.start), count: segment.count)
        }
    }

    /// The first node at the path's end, the preferred first, that has a wanted method; `seen` gets the methods of
    /// those that have not. `position` is that of the slash before the next segment, or the path's end.
    private func descend(
        from index: Int,
        at position: Int,
        _ path: Path,
        _ wanted: MethodSet,
        _ captures: inout PathCaptures,
        _ seen: inout MethodSet
    ) -> Int? {
        let node = nodes[index]
        if position >= path.end || index == 0 && position + 1 == path.end {
            seen.formUnion(node.methods)
            return node.methods.isDisjoint(with: wanted) ? nil : index
        }
        let segment = path.segment(behind: position)
        if let child = literal(of: node, path, segment),
            let found = descend(from: child, at: Int(segment.end), path, wanted, &captures, &seen)
        {
            return found
        }
        guard node.parameter >= 0, !segment.isEmpty else { return nil }
        captures.append(segment)
        if let found = descend(from: node.parameter, at: Int(segment.end), path, wanted, &captures, &seen) {
            return found
        }
        captures.removeLast()
        return nil
    }

    private func literal(of node: Node, _ path: Path, _ segment: ByteRange) -> Int? {
        guard node.literalCount > 0 else { return nil }
        guard path.isEncoded else { return find(path.bytes(segment), in: node) }
        return PercentEncoding.decoded(path.bytes(segment)).withUnsafeBufferPointer { find($0, in: node) }
    }

    /// Binary search.
    private func find(_ name: UnsafeBufferPointer<UInt8>, in node: Node) -> Int? {
        var low = node.firstLiteral
        var high = low + node.literalCount
        while low < high {
            let middle = (low + high) / 2
            let order = compare(literals[middle], name)
            if order == 0 { return literals[middle].node }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// By length, then by bytes.
    private func compare(_ literal: Literal, _ name: UnsafeBufferPointer<UInt8>) -> Int {
        guard literal.count == name.count, let base = name.baseAddress else { return literal.count - name.count }
        return Int(memcmp(names.base + literal.start, base, literal.count))
    }
}
