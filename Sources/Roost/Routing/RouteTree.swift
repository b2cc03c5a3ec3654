import Glibc
import HTTPTypes

// Routes as a tree of path segments in flat arrays, made once at start. A node's literal children are sorted, so that a
// thousand routes cost about what ten cost. A literal segment is preferred to a parameter; when the way through the
// literal ends without an endpoint for the method, the parameter's is tried: `/users/new` and `/users/:` live together.

/// Finds the endpoint of a path and method.
struct RouteTree: Sendable {
    private struct Node: Sendable {
        var names: [[UInt8]] = []
        var children: [Int] = []
        var parameter: Int?
        var endpoints: [Route] = []
    }

    /// What a search has found.
    enum Match {
        case route(any Responder, PathCaptures)
        /// The path is known, with other methods.
        case otherMethods(Set<HTTPRequest.Method>)
        case none
    }

    private var nodes = [Node()]

    /// - Throws: ``ConfigurationMistake`` when two routes answer the same requests.
    init(_ routes: [Route]) throws(ConfigurationMistake) {
        for route in routes { try insert(route) }
    }

    private mutating func insert(_ route: Route) throws(ConfigurationMistake) {
        var index = 0
        for segment in route.segments { index = child(of: index, segment) }
        if let other = nodes[index].endpoints.first(where: { $0.method == route.method }) {
            throw ConfigurationMistake(
                "Two routes answer \(route.description): one declared at \(other.source), the other at "
                    + "\(route.source). Remove one, or give it another path or method."
            )
        }
        nodes[index].endpoints.append(route)
    }

    private mutating func child(of index: Int, _ segment: RouteSegment) -> Int {
        switch segment {
        case .parameter:
            if let child = nodes[index].parameter { return child }
            nodes[index].parameter = nodes.count
        case .literal(let text):
            let name = Array(text.utf8)
            let place = nodes[index].names.firstIndex { !Self.precedes($0, name) } ?? nodes[index].names.count
            if place < nodes[index].names.count, nodes[index].names[place] == name {
                return nodes[index].children[place]
            }
            nodes[index].names.insert(name, at: place)
            nodes[index].children.insert(nodes.count, at: place)
        }
        nodes.append(Node())
        return nodes.count - 1
    }

    /// The endpoint for a request.
    func match(_ head: RequestHead, _ method: HTTPRequest.Method) -> Match {
        var search = Search(tree: self, head: head, method: method)
        if let route = search.descend(from: 0, at: Int(head.path.start)) {
            return .route(route.responder, search.captures)
        }
        return search.others.isEmpty ? .none : .otherMethods(search.others)
    }

    /// Every method that any route has.
    var methods: Set<HTTPRequest.Method> { Set(nodes.flatMap { $0.endpoints.map(\.method) }) }

    private struct Search {
        let tree: RouteTree
        let head: RequestHead
        let method: HTTPRequest.Method
        var captures = PathCaptures()
        var others: Set<HTTPRequest.Method> = []

        /// `position` is that of the slash before the next segment, or the path's end.
        mutating func descend(from index: Int, at position: Int) -> Route? {
            let end = Int(head.path.end)
            if position >= end || index == 0 && position + 1 == end { return endpoint(of: index) }
            let segment = nextSegment(position + 1, end)
            if let child = tree.literal(index, head, segment), let route = descend(from: child, at: Int(segment.end)) {
                return route
            }
            guard let child = tree.nodes[index].parameter, !segment.isEmpty else { return nil }
            captures.append(segment)
            if let route = descend(from: child, at: Int(segment.end)) { return route }
            captures.removeLast()
            return nil
        }

        private func nextSegment(_ start: Int, _ end: Int) -> ByteRange {
            let base = head.bytes.base
            guard let slash = memchr(base + start, 0x2F, end - start) else { return ByteRange(start, end) }
            return ByteRange(start, UnsafeRawPointer(base).distance(to: slash))
        }

        private mutating func endpoint(of index: Int) -> Route? {
            let endpoints = tree.nodes[index].endpoints
            for route in endpoints where route.method == method { return route }
            if method == .head, let get = endpoints.first(where: { $0.method == .get }) { return get }
            others.formUnion(endpoints.map(\.method))
            return nil
        }
    }

    private func literal(_ index: Int, _ head: RequestHead, _ segment: ByteRange) -> Int? {
        let names = nodes[index].names
        guard !names.isEmpty else { return nil }
        let bytes = head.bytes.slice(segment)
        guard head.pathIsEncoded else { return find(bytes, in: names).map { nodes[index].children[$0] } }
        let decoded = PercentEncoding.decoded(bytes)
        return decoded.withUnsafeBufferPointer { find($0, in: names) }.map { nodes[index].children[$0] }
    }

    /// Binary search.
    private func find(_ name: UnsafeBufferPointer<UInt8>, in names: [[UInt8]]) -> Int? {
        var low = 0
        var high = names.count
        while low < high {
            let middle = (low + high) / 2
            let order = Self.compare(names[middle], name)
            if order == 0 { return middle }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    private static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        right.withUnsafeBufferPointer { compare(left, $0) < 0 }
    }

    /// Orders by length, then by bytes.
    private static func compare(_ left: [UInt8], _ right: UnsafeBufferPointer<UInt8>) -> Int {
        if left.count != right.count { return left.count - right.count }
        guard let base = right.baseAddress else { return 0 }
        return Int(memcmp(left, base, left.count))
    }
}
