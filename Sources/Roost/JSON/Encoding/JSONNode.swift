/// A value in a ``JSONTree``.
final class JSONNode {
    let depth: Int
    var kind = JSONPlace.Kind.vacant
    /// The text of a single value.
    var text: [UInt8] = []
    /// The members or elements, in the order in which they were begun.
    private(set) var children: [JSONNode] = []
    /// The name and its colon, as they are written; empty in an array.
    private let name: [UInt8]
    private let position: Int
    private weak var parent: JSONNode?

    convenience init(depth: Int) { self.init(depth: depth, name: [], position: 0, parent: nil) }

    private init(depth: Int, name: [UInt8], position: Int, parent: JSONNode?) {
        self.depth = depth
        self.name = name
        self.position = position
        self.parent = parent
    }

    func addChild(named name: [UInt8]) -> JSONNode {
        let child = JSONNode(depth: depth + 1, name: name, position: children.count, parent: self)
        children.append(child)
        return child
    }

    func remove(_ child: JSONNode) { children.removeAll { $0 === child } }

    /// Makes it vacant again.
    func empty() { (kind, text, children) = (.vacant, [], []) }

    /// The path to it.
    var codingPath: [any CodingKey] {
        guard let parent else { return [] }
        return parent.codingPath + [name.isEmpty ? JSONKey(intValue: position) : JSONKey(writtenName: name[...])]
    }

    /// Appends its text. A node that was never filled is an empty object.
    func append(to buffer: ByteBuffer) {
        if kind == .scalar { return buffer.append(text) }
        buffer.append(kind == .array ? UInt8(ascii: "[") : UInt8(ascii: "{"))
        for (position, child) in children.enumerated() {
            if position > 0 { buffer.append(UInt8(ascii: ",")) }
            buffer.append(child.name)
            child.append(to: buffer)
        }
        buffer.append(kind == .array ? UInt8(ascii: "]") : UInt8(ascii: "}"))
    }
}
