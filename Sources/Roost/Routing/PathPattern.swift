// pattern   = 1*( "/" segment )          ; the last segment may be empty
// segment   = literal / [ literal ] parameter [ literal ]
// parameter = "{" name "}"

/// Parses the pattern of a path.
struct PathPattern {
    private let text: String
    private var kinds: ArraySlice<ParameterKind>
    private let kindCount: Int
    private var names: [String] = []
    /// The first mistake in the pattern, as a sentence for the application's author.
    private(set) var mistake: String?

    /// - Parameter kinds: The types of the parameters, in their order.
    init(_ text: String, _ kinds: [ParameterKind]) {
        self.text = text
        self.kinds = kinds[...]
        kindCount = kinds.count
    }

    /// The segments; none for `/` alone, the root.
    mutating func parse() -> [RouteSegment] {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count > 1, parts[0].isEmpty else {
            note("does not begin with a slash; write Path(\"/\(text)\")")
            return []
        }
        let last = parts.count - 1
        if parts.count == 2, parts[1].isEmpty { return finished([]) }
        return finished(
            parts.indices.dropFirst().map { index in
                if parts[index].isEmpty, index < last { note("has an empty segment; write one slash instead of two") }
                if parts[index].elementsEqual(".".utf8) || parts[index].elementsEqual("..".utf8) {
                    note("has a dot segment, but requests are routed without them (RFC 3986 §5.2.4)")
                }
                return segment(parts[index], isLast: index == last)
            }
        )
    }

    private mutating func finished(_ segments: [RouteSegment]) -> [RouteSegment] {
        if names.count != kindCount {
            let types = "\(kindCount) \(kindCount == 1 ? "type" : "types")"
            let parameters = "\(names.count) \(names.count == 1 ? "parameter" : "parameters")"
            let advice = names.isEmpty ? "a parameter is written {id}" : "write one type for each"
            note("has \(parameters) and \(types); \(advice), as in \(example)")
        }
        if PathCaptures.maximum < names.count {
            note("has \(names.count) parameters; at most \(PathCaptures.maximum) are possible")
        }
        return segments
    }

    private var example: String {
        names.isEmpty
            ? "Path(\"/users/{id}\", Int.self)" : "Path(\"\(text)\"\(names.map { _ in ", Int.self" }.joined()))"
    }

    private mutating func segment(_ part: Substring.UTF8View, isLast: Bool) -> RouteSegment {
        guard let open = part.firstIndex(of: UInt8(ascii: "{")) else {
            if part.contains(UInt8(ascii: "}")) { note("has a } without a {") }
            checkLiteral(part)
            return .literal(PercentEncoding.decoded(Array(part)))
        }
        guard let close = part[open...].firstIndex(of: UInt8(ascii: "}")) else {
            note("has a { without a }")
            return .literal(Array(part))
        }
        let name = String(Substring(part[part.index(after: open)..<close]))
        let prefix = Array(part[..<open])
        let suffix = Array(part[part.index(after: close)...])
        check(name, suffix)
        checkEnd(part[..<open])
        checkEnd(part[part.index(after: close)...])
        names.append(name)
        let kind = kinds.popFirst() ?? ParameterKind(String.self)
        if kind.takesRest, !isLast || !prefix.isEmpty || !suffix.isEmpty {
            note("has something next to or after {\(name)}, which takes the rest of the path")
        }
        return .parameter(
            SegmentParameter(
                name: name,
                prefix: PercentEncoding.decoded(prefix),
                suffix: PercentEncoding.decoded(suffix),
                kind: kind
            )
        )
    }

    /// Notes what other frameworks write for a parameter: it would be a text here, which hardly a request has.
    private mutating func checkLiteral(_ part: Substring.UTF8View) {
        let isParameter = part.first == UInt8(ascii: ":") && part.count > 1
        let isBracketed = [("<", ">"), ("[", "]")].contains { (open: Unicode.Scalar, close: Unicode.Scalar) in
            part.first == UInt8(ascii: open) && part.last == UInt8(ascii: close)
        }
        if isParameter || isBracketed {
            note("has \(Substring(part)); a parameter is written {id}, as in Path(\"/users/{id}\", Int.self)")
        }
        if part.elementsEqual("*".utf8) || part.elementsEqual("**".utf8) {
            note("has \(Substring(part)); \(Self.rest)")
        }
        checkEnd(part)
    }

    /// Notes what does not belong to a path.
    private mutating func checkEnd(_ part: Substring.UTF8View) {
        guard part.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else { return }
        note("has a query or a fragment, which is no part of a path; a handler reads request.query")
    }

    private static let rest = "the rest of a path is written Path(\"/files/{path}\", RemainingPath.self)"

    private mutating func check(_ name: String, _ suffix: [UInt8]) {
        if name.isEmpty { note("has a parameter without a name; write {id}") }
        if name.utf8.contains(where: { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: ".") }) {
            note("has {\(name)}; \(Self.rest)")
        }
        if name.utf8.contains(UInt8(ascii: "?")) {
            note("has {\(name)}, but a parameter cannot be left out; declare a route for each of the two paths")
        }
        if name.utf8.contains(UInt8(ascii: ":")) {
            note("has {\(name)}; a parameter's type is written after the path, as in Path(\"/users/{id}\", Int.self)")
        }
        if names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { note("has two parameters named {\(name)}") }
        if suffix.contains(UInt8(ascii: "{")) { note("has two parameters in one segment; only one is possible") }
    }

    private mutating func note(_ text: String) {
        if mistake == nil { mistake = "Path(\"\(self.text)\") \(text)." }
    }
}
