/// The memory in which values become JSON, which a thread keeps for its next text.
final class JSONWorkspace: Reusable {
    @exclusivity(unchecked) private(set) var tape: ValueTape
    /// The values on the tape when it is read, and their texts: without counting references.
    @exclusivity(unchecked) private(set) var cells: UnsafePointer<TapeCell>
    @exclusivity(unchecked) private var texts: UnsafePointer<UInt8>
    let output = ByteBuffer(capacity: 1024)
    let names: JSONMemberNames
    @exclusivity(unchecked) private(set) var coder = JSONCoder()
    /// Whether the text is laid out for people, as FoundationEssentials' `prettyPrinted` does it.
    @exclusivity(unchecked) private(set) var isPretty = false
    /// The number of texts that it has written. With the cell of an object it is a number of its own.
    @exclusivity(unchecked) private(set) var serial: UInt64 = 0

    private static let kept = ThreadKept<JSONWorkspace>()
    /// More memory than this is not kept.
    private static let maximumOutput = 1 << 16
    /// Nor are more bytes of names, which may be data.
    private static let maximumNames = 1 << 14

    private init() {
        tape = ValueTape()
        (cells, texts) = (UnsafePointer(tape.cells), UnsafePointer(tape.text.base))
        names = JSONMemberNames(tape.names)
    }

    /// A workspace for one text. Nobody else gets it before ``giveBack(_:)``.
    @inline(__always)
    static func take() -> JSONWorkspace { kept.take() ?? JSONWorkspace() }

    /// Keeps a workspace for this thread's next text, unless it has one.
    @inline(__always)
    static func giveBack(_ workspace: JSONWorkspace) { kept.giveBack(workspace) }

    /// Writes the text of a value.
    func write<Value: Encodable>(_ value: Value, by coder: JSONCoder) throws {
        self.coder = coder
        isPretty = coder.layout.contains(.pretty)
        serial &+= 1
        names.prepare(isSafeInHTML: coder.isSafeInHTML, isPretty: isPretty)
        // This only spares the thread's stack, as in `TemplateLimits`: a value that wraps another is none of the levels
        // that `writeText` counts. A property wrapper of an optional takes three values for each level.
        tape.limits.depth = min(4 * coder.writtenDepth, 1000) + 1
        if !coder.userInfo.isEmpty { tape.userInfo = coder.userInfo }
        do {
            try tape.writeWhole(value, to: ValueTape.root)
        } catch let limit as TapeLimit {
            throw limit.error(for: value, coder)
        }
        guard tape.cells[Int(ValueTape.root)].kind != .vacant else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "\(Value.self) wrote no value."))
        }
        (cells, texts) = (UnsafePointer(tape.cells), UnsafePointer(tape.text.base))
        try writeText(of: ValueTape.root, depth: 0)
    }

    /// The bytes of a text.
    func bytes(of cell: TapeCell) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: texts + Int(cell.payload), count: Int(cell.count))
    }

    /// A tape that somebody still holds, such as a type that has kept its encoder, is not used again.
    func clear() -> Bool {
        if !coder.userInfo.isEmpty { coder = JSONCoder() }
        output.removeAll()
        output.trim(to: Self.maximumOutput)
        return isKnownUniquelyReferenced(&tape) && tape.clear() && tape.names.size <= Self.maximumNames
    }
}

extension TapeLimit {
    fileprivate func error(for value: Any, _ coder: JSONCoder) -> EncodingError {
        let reason =
            switch self {
            case .depth: "The value is nested deeper than \(coder.writtenDepth) levels."
            case .values: "The value has too many parts."
            case .text: "The value has too much text."
            }
        return .invalidValue(value, .init(codingPath: [], debugDescription: reason))
    }
}
