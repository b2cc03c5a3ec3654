/// Rewrites a compact JSON text for people: indented, with sorted members, or both.
///
/// It works on the finished text, so that the encoder need not know about layout. The encoder wrote that text, so it is
/// valid. The layout equals that of FoundationEssentials' `prettyPrinted` and `sortedKeys`.
struct JSONArrangement {
    private let layout: JSONCoder.Layout
    private let text: UnsafeBufferPointer<UInt8>
    private let output: ByteBuffer

    /// Appends a text in a layout.
    static func append(_ text: UnsafeBufferPointer<UInt8>, in layout: JSONCoder.Layout, to output: ByteBuffer) {
        JSONArrangement(layout: layout, text: text, output: output).appendValue(at: 0, depth: 0)
    }

    /// Appends the value at an offset. The recursion is bounded by the encoder's limit of depth.
    private func appendValue(at start: Int, depth: Int) {
        let walker = JSONWalker(text)
        let parts = walker.parts(ofValueAt: start)
        guard let open = walker.container(at: start) else {
            return output.append(UnsafeBufferPointer(rebasing: text[start..<walker.end(ofValueAt: start)]))
        }
        output.append(open == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
        for (position, part) in sorted(parts, in: open).enumerated() {
            if position > 0 { output.append(UInt8(ascii: ",")) }
            breakLine(depth + 1)
            appendName(part)
            appendValue(at: part.value, depth: depth + 1)
        }
        if parts.isEmpty, layout.contains(.pretty) { output.append(UInt8(ascii: "\n")) }
        breakLine(depth)
        output.append(open == .object ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    }

    private func appendName(_ part: JSONWalker.Part) {
        guard let name = part.name else { return }
        output.append(UInt8(ascii: "\""))
        output.append(UnsafeBufferPointer(rebasing: text[name]))
        output.append(layout.contains(.pretty) ? "\" : " : "\":")
    }

    private func breakLine(_ depth: Int) {
        guard layout.contains(.pretty) else { return }
        output.append(UInt8(ascii: "\n"))
        for _ in 0..<depth { output.append("  ") }
    }

    /// The members in the order of their names' UTF-8; elements as they are.
    private func sorted(_ parts: [JSONWalker.Part], in kind: JSONWalker.Container) -> [JSONWalker.Part] {
        guard layout.contains(.sorted), kind == .object else { return parts }
        let named = parts.map { (name: JSONWalker(text).name(of: $0), part: $0) }
        return named.sorted { $0.name.lexicographicallyPrecedes($1.name) }.map(\.part)
    }
}
