/// A ``TemplateProgram`` while parsers append to it.
struct TemplateBuilder {
    var instructions: [TemplateInstruction] = []
    private(set) var text: [UInt8] = []
    let names: NameTable
    var tables = TemplateTables()
    private var knownPaths: [ExactText: UInt32] = [:]
    /// The last instruction that something jumps to. Text is not joined across it.
    private var label = 0

    /// An empty program. Templates must be added in the order of their names.
    init(templates names: [String]) {
        self.names = NameTable()
        tables.templates = Dictionary(
            names.enumerated().map { (ExactText($1), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// A copy of a program, to which more templates can be added.
    /// - Parameter names: The program's names, and those that the page brought.
    init(extending program: TemplateProgram, names: NameTable) {
        instructions = Array(program.instructions.elements)
        text = program.text
        self.names = names
        tables = program.tables
    }

    /// The number of the next instruction.
    var next: UInt32 { UInt32(truncatingIfNeeded: instructions.count) }

    mutating func begin(_ source: TemplateSource) {
        tables.sources.append(source)
        tables.entries.append(next)
        _ = mark()
    }

    /// The number of the next instruction, which a jump may lead to.
    mutating func mark() -> UInt32 {
        label = instructions.count
        return next
    }

    /// Adds an action. It goes into the instruction of the text before it, unless a jump leads between the two.
    @discardableResult
    mutating func emit(
        _ action: TemplateInstruction.Action, path: UInt32? = nil, target: UInt32 = 0, at offset: Int
    ) -> Int {
        if instructions.count == label || instructions.last?.action != .goOn {
            instructions.append(TemplateInstruction())
            tables.positions.append(0)
        }
        let index = instructions.count - 1
        instructions[index].action = action
        instructions[index].target = target
        if let path {
            instructions[index].path = path
            if tables.paths[Int(path)].count == 1 { instructions[index].name = tables.paths[Int(path)][0] }
        }
        tables.positions[index] = UInt32(truncatingIfNeeded: offset)
        return index
    }

    /// Adds literal text, joined to the text before it unless a jump leads between the two.
    mutating func emit(text bytes: ArraySlice<UInt8>, startsLine: Bool, at offset: Int) {
        guard !bytes.isEmpty else { return }
        let stored = store(bytes)
        if instructions.count > label, let last = instructions.last, last.action == .goOn,
            last.text.offset + last.text.count == stored.offset,
            startsLine == (text[Int(stored.offset) - 1] == .newline)
        {
            instructions[instructions.count - 1].text.count += stored.count
        } else {
            emit(stored, startsLine: startsLine, at: offset)
        }
    }

    /// Adds text that is stored already, as an instruction of its own.
    mutating func emit(_ text: TemplateText, startsLine: Bool, at offset: Int) {
        instructions.append(TemplateInstruction(text: text, startsLine: startsLine))
        tables.positions.append(UInt32(truncatingIfNeeded: offset))
    }

    mutating func store(_ bytes: ArraySlice<UInt8>) -> TemplateText {
        let stored = TemplateText(
            offset: UInt32(truncatingIfNeeded: text.count), count: UInt32(truncatingIfNeeded: bytes.count))
        text.append(contentsOf: bytes)
        return stored
    }

    mutating func path(_ name: String) -> UInt32 {
        if name == "." { return 0 }
        if let known = knownPaths[ExactText(name)] { return known }
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let path = tables.paths.add(row: parts.map { names.id(String($0) ?? "") })
        knownPaths[ExactText(name)] = path
        return path
    }

    mutating func add(_ overrides: [TemplateOverride]) -> Range<Int> {
        tables.overrides += overrides
        return tables.overrides.count - overrides.count..<tables.overrides.count
    }
}

extension Array {
    /// Adds a row to a table. Returns its number.
    mutating func add(row: Element) -> UInt32 {
        append(row)
        return UInt32(truncatingIfNeeded: count - 1)
    }
}
