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
        var endpoints: [Route.Endpoint] = []
    }

    /// What two routes must not have in common.
    private struct Shape: Hashable {
        let method: HTTPRequest.Method
        let segments: [RouteSegment]
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
        var declared: [Shape: Route] = [:]
        for route in routes {
            let shape = Shape(method: route.endpoint.method, segments: route.segments)
            if let other = declared.updateValue(route, forKey: shape) {
                throw ConfigurationMistake(
                    "Two routes answer \(route.description): one declared at \(other.source), the other at "
                        + "\(route.source). Remove one, or give it another path or method."
                )
            }
            let index = route.segments.reduce(0) { child(of: $0, $1) }
            nodes[index].endpoints.append(route.endpoint)
        }
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
    func match(_ head: borrowing RequestHead, _ method: HTTPRequest.Method) -> Match {
        var captures = PathCaptures()
        var others: Set<HTTPRequest.Method> = []
        let start = Int(head.path.start)
        if head.path.isEmpty { return .none }  // the asterisk form is no path, and not the root's
        if let found = descend(from: 0, at: start, head, method, &captures, &others) { return .route(found, captures) }
        return others.isEmpty ? .none : .otherMethods(others)
    }

    /// Every method that any route has.
    var methods: Set<HTTPRequest.Method> { Set(nodes.flatMap { $0.endpoints.map(\.method) }) }

    /// `position` is that of the slash before the next segment, or the path's end.
    private func descend(
        from index: Int,
        at position: Int,
        _ head: borrowing RequestHead,
        _ method: HTTPRequest.Method,
        _ captures: inout PathCaptures,
        _ others: inout Set<HTTPRequest.Method>
    ) -> (any Responder)? {
        let end = Int(head.path.end)
        if position >= end || index == 0 && position + 1 == end { return endpoint(of: index, method, &others) }
        let segment = nextSegment(head, position + 1, end)
        if let child = literal(index, head, segment),
            let found = descend(from: child, at: Int(segment.end), head, method, &captures, &others)
        {
            return found
        }
        guard let child = nodes[index].parameter, !segment.isEmpty else { return nil }
        captures.append(segment)
        if let found = descend(from: child, at: Int(segment.end), head, method, &captures, &others) { return found }
        captures.removeLast()
        return nil
    }

    private func nextSegment(_ head: borrowing RequestHead, _ start: Int, _ end: Int) -> ByteRange {
        let base = head.bytes.base
        guard let slash = memchr(base + start, 0x2F, end - start) else { return ByteRange(start, end) }
        return ByteRange(start, UnsafeRawPointer(base).distance(to: slash))
    }

    private func endpoint(
        of index: Int,
        _ method: HTTPRequest.Method,
        _ others: inout Set<HTTPRequest.Method>
    ) -> (any Responder)? {
        for endpoint in nodes[index].endpoints where endpoint.method == method { return endpoint.responder }
        if method == .head, let get = nodes[index].endpoints.first(where: { $0.method == .get }) {
            return get.responder
        }
        others.formUnion(nodes[index].endpoints.map(\.method))
        return nil
    }

    private func literal(_ index: Int, _ head: borrowing RequestHead, _ segment: ByteRange) -> Int? {
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
