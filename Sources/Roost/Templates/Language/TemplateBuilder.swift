/// The tables of a ``TemplateProgram`` while parsers append to them.
struct TemplateBuilder {
    var instructions: [TemplateInstruction] = []
    private(set) var positions: [UInt32] = []
    private(set) var text: [UInt8] = []
    let names: NameTable
    private(set) var paths: [TemplatePath] = []
    private(set) var parts: [UInt32] = []
    private(set) var sections: [TemplateSectionSource] = []
    var calls: [TemplateCall] = []
    private(set) var overrides: [TemplateOverride] = []
    private(set) var translations: [TemplateTranslation] = []
    private(set) var formats: [TemplateFormat] = []
    var blocks: [TemplateBlock] = []
    private(set) var sources: [TemplateSource] = []
    private(set) var entries: [UInt32] = []
    private(set) var templates: [ExactText: Int]
    private var knownPaths: [ExactText: UInt32] = [:]
    /// The last instruction that something jumps to. Text is not joined across it.
    private var label = 0

    /// An empty program. Templates must be added in the order of their names.
    init(templates names: [String]) {
        self.names = NameTable()
        templates = Dictionary(names.enumerated().map { (ExactText($1), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// A copy of a program, to which more templates can be added.
    /// - Parameter names: The program's names, and those that the page brought.
    init(extending program: TemplateProgram, names: NameTable) {
        instructions = Array(program.instructions.elements)
        positions = program.positions
        text = program.text
        self.names = names
        paths = program.paths
        parts = program.parts
        sections = program.sections
        calls = program.calls
        overrides = program.overrides
        translations = program.translations
        formats = program.formats
        blocks = program.blocks
        sources = program.sources
        entries = program.entries
        templates = program.templates
    }

    /// The number of the next instruction.
    var next: UInt32 { UInt32(truncatingIfNeeded: instructions.count) }

    mutating func begin(_ source: TemplateSource) {
        sources.append(source)
        entries.append(next)
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
            positions.append(0)
        }
        let index = instructions.count - 1
        instructions[index].action = action
        instructions[index].target = target
        if let path {
            instructions[index].path = path
            if paths[Int(path)].rest.isEmpty { instructions[index].name = paths[Int(path)].head }
        }
        positions[index] = UInt32(truncatingIfNeeded: offset)
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
        positions.append(UInt32(truncatingIfNeeded: offset))
    }

    mutating func store(_ bytes: ArraySlice<UInt8>) -> TemplateText {
        let stored = TemplateText(
            offset: UInt32(truncatingIfNeeded: text.count), count: UInt32(truncatingIfNeeded: bytes.count))
        text.append(contentsOf: bytes)
        return stored
    }

    mutating func path(_ name: String) -> UInt32 {
        if let known = knownPaths[ExactText(name)] { return known }
        let start = UInt32(truncatingIfNeeded: parts.count)
        var head: UInt32 = 0
        if name != "." {
            let split = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            let ids = split.map { names.id(String($0) ?? "") }
            head = ids.first ?? 0
            parts.append(contentsOf: ids.dropFirst())
        }
        paths.append(TemplatePath(head: head, rest: start..<UInt32(truncatingIfNeeded: parts.count)))
        knownPaths[ExactText(name)] = UInt32(truncatingIfNeeded: paths.count - 1)
        return UInt32(truncatingIfNeeded: paths.count - 1)
    }

    mutating func section(_ source: TemplateSectionSource) -> UInt32 {
        sections.append(source)
        return UInt32(truncatingIfNeeded: sections.count - 1)
    }

    mutating func add(_ translation: TemplateTranslation) -> UInt32 {
        translations.append(translation)
        return UInt32(truncatingIfNeeded: translations.count - 1)
    }

    mutating func add(_ format: TemplateFormat) -> UInt32 {
        formats.append(format)
        return UInt32(truncatingIfNeeded: formats.count - 1)
    }

    mutating func add(_ overrides: [TemplateOverride]) -> Range<Int> {
        self.overrides.append(contentsOf: overrides)
        return self.overrides.count - overrides.count..<self.overrides.count
    }
}
