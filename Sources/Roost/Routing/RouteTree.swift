import Glibc
import HTTPTypes

// Routes as a tree of path segments in flat arrays of plain values, built once at start, so that a search touches no
// reference count. A node's literal children are sorted, so a thousand routes cost about as much as ten. A literal is
// preferred to a parameter, and a parameter of a narrower type to one of a wider type. If one branch ends without a
// leaf for the method, the next is tried: `/users/new`, `/users/{id}` and `/users/{name}` can coexist.

/// Finds the leaf of a path and method.
///
/// A class, so that a search borrows its arrays; those of a struct would be retained one by one.
final class RouteTree: Sendable {
    /// The result of a search.
    enum Match {
        /// The index of the leaf in ``leaves``.
        case leaf(Int)
        /// The path is known, but with other methods: the index of a leaf for one of them, and the methods.
        case otherMethods(Int, MethodSet)
        /// The path is unknown: the deepest scope whose prefix it begins with.
        case none(scope: Int)
    }

    /// The leaves, which handle requests.
    let leaves: [Route.Leaf]
    private let methods: MethodTable
    private let checks: [SegmentCheck]
    /// The methods of ``leaves``.
    private let leafMethods: FrozenArray<MethodSet>
    private let nodes: FrozenArray<RouteLayout.Node>
    private let literals: FrozenArray<RouteLayout.Literal>
    private let parameters: FrozenArray<RouteLayout.Parameter>
    /// The names of all literals, and the texts around parameters, one after the other.
    private let names: FrozenArray<UInt8>

    init(_ layout: RouteLayout) {
        leaves = layout.leaves
        methods = layout.methods
        checks = layout.checks
        leafMethods = FrozenArray(layout.leaves.map { layout.methods.set(of: $0.method) })
        nodes = FrozenArray(layout.nodes)
        literals = FrozenArray(layout.literals)
        parameters = FrozenArray(layout.parameters)
        names = FrozenArray(layout.names)
    }

    /// The leaf for a request; sets its captures.
    func match(_ request: borrowing Request) -> Match { match(request, methods.set(of: request)) }

    /// The leaf that a request would have with another method.
    func match(_ request: borrowing Request, as method: HTTPRequest.Method) -> Match {
        match(request, methods.set(of: method))
    }

    private func match(_ request: borrowing Request, _ method: MethodSet) -> Match {
        let path = RequestPath(request)
        if path.isEmpty { return .none(scope: nodes[0].scope) }  // the asterisk form is not a path, nor the root
        var search = Search(wanted: method == .head ? method.union(.get) : method)
        search.deepest = (path.start, nodes[0].scope)
        if let node = descend(from: 0, at: path.start, path, &search) {
            request.setCaptures(search.captures)
            return .leaf(leaf(of: node, method) ?? leaf(of: node, search.wanted) ?? 0)
        }
        if search.seen.isEmpty { return .none(scope: search.deepest.scope) }
        return .otherMethods(search.firstSeen, search.seen)
    }

    /// Every method that any route has.
    var allMethods: MethodSet { leaves.reduce(MethodSet()) { $0.union(methods.set(of: $1.method)) } }

    /// The methods of a set.
    func methods(in set: MethodSet) -> Set<HTTPRequest.Method> { methods.methods(in: set) }

    private func leaf(of index: Int, _ wanted: MethodSet) -> Int? {
        let node = nodes[index]
        for place in node.firstLeaf..<node.firstLeaf + node.leafCount
        where !leafMethods[place].isDisjoint(with: wanted) { return place }
        return nil
    }

    /// The goal of a search, and what it has found so far.
    private struct Search {
        let wanted: MethodSet
        var captures = PathCaptures()
        /// The methods at ends of the path that lack a wanted one, and the first leaf of the first such end.
        var seen = MethodSet()
        var firstSeen = 0
        /// The deepest scope so far whose prefix the path begins with, and where that prefix ends.
        var deepest = (position: 0, scope: 0)

        /// Whether a node at the end of the path has a wanted method.
        mutating func ends(at node: RouteLayout.Node) -> Bool {
            guard node.methods.isDisjoint(with: wanted) else { return true }
            if seen.isEmpty { firstSeen = node.firstLeaf }
            seen.formUnion(node.methods)
            return false
        }
    }

    /// The first node at the end of the path, in order of preference, that has a wanted method. `position` is that of
    /// the slash before the next segment, or the end of the path.
    private func descend(from index: Int, at position: Int, _ path: RequestPath, _ search: inout Search) -> Int? {
        let node = nodes[index]
        if node.scope >= 0, position > search.deepest.position { search.deepest = (position, node.scope) }
        if path.ends(at: position, isRoot: index == 0) {
            if search.ends(at: node) { return index }
            // After the slash of the root, as after any other, the rest may be empty.
            return index == 0 ? rest(of: node, after: position, path, &search) : nil
        }
        let segment = path.segment(after: position)
        if let child = literal(of: node, path, segment),
            let found = descend(from: child, at: Int(segment.end), path, &search)
        {
            return found
        }
        for place in node.firstParameter..<node.firstParameter + node.parameterCount {
            let parameter = parameters[place]
            guard !parameter.takesRest, let value = value(of: parameter, path, segment) else { continue }
            search.captures.append(value)
            if let found = descend(from: parameter.node, at: Int(segment.end), path, &search) { return found }
            search.captures.removeLast()
        }
        return rest(of: node, after: position, path, &search)
    }

    /// The node of the parameter that takes the rest of the path after a slash, the last one to be tried.
    private func rest(
        of node: RouteLayout.Node, after slash: Int, _ path: RequestPath, _ search: inout Search
    ) -> Int? {
        guard node.parameterCount > 0 else { return nil }
        let parameter = parameters[node.firstParameter + node.parameterCount - 1]
        guard parameter.takesRest else { return nil }
        search.captures.append(path.rest(after: slash))
        if search.ends(at: nodes[parameter.node]) { return parameter.node }
        search.captures.removeLast()
        return nil
    }

    private func literal(
        of node: RouteLayout.Node,
        _ path: RequestPath,
        _ segment: ByteRange
    ) -> Int? {
        guard node.literalCount > 0 else { return nil }
        guard path.isEncoded else { return find(path.bytes(segment), in: node) }
        return PercentEncoding.decoded(path.bytes(segment)).withUnsafeBufferPointer { find($0, in: node) }
    }

    /// Binary search.
    private func find(_ name: UnsafeBufferPointer<UInt8>, in node: RouteLayout.Node) -> Int? {
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
    private func compare(_ literal: RouteLayout.Literal, _ name: UnsafeBufferPointer<UInt8>) -> Int {
        guard literal.count == name.count, let base = name.baseAddress else { return literal.count - name.count }
        return Int(memcmp(names.base + literal.start, base, literal.count))
    }

    /// The place of a parameter's value in a segment; nil when the segment is not a value of it.
    private func value(of parameter: RouteLayout.Parameter, _ path: RequestPath, _ segment: ByteRange) -> ByteRange? {
        guard let value = path.value(in: segment, of: parameter, around: names.base + parameter.start) else {
            return nil
        }
        guard parameter.check >= 0 else { return value }
        guard path.isEncoded else { return checks[parameter.check](path.bytes(value)) ? value : nil }
        let decoded = PercentEncoding.decoded(path.bytes(value))
        return decoded.withUnsafeBufferPointer { checks[parameter.check]($0) } ? value : nil
    }
}
