/// A unit of the renderer's work: literal text, and the instruction after it.
///
/// There is a step for each instruction, so that jumps lead to the same numbers. A text and the instruction after it
/// are one step, which goes on behind both; the second one's own step is for those who jump there.
struct TemplateStep: BitwiseCopyable {
    /// The instruction, without its operands.
    enum Action: UInt8, BitwiseCopyable {
        /// There is only text.
        case goOn
        case lineStart, escaped, raw, section, inverted, endSection, call, block, end
    }

    private(set) var action = Action.goOn
    /// The number of instructions in this step: 1, or 2 for a text and the instruction after it.
    private(set) var length: UInt8 = 1
    private(set) var hasText = false
    private(set) var startsLine = false
    /// Whether the action needs a value.
    private(set) var hasValue = false
    /// The literal text.
    private(set) var text = TemplateText()
    /// The name that a value is looked up by; 0 if there is none, or more than one, so that ``path`` must be followed.
    private(set) var name: UInt32 = 0
    private(set) var path: UInt32 = 0
    /// The instruction to go on at; for a call or a block, its row in the table.
    private(set) var target: UInt32 = 0
    private(set) var source: UInt32 = 0
    /// The instruction to go on at if the value of a section is false: in the inverted section of the same value, if
    /// that follows.
    private(set) var otherwise: UInt32 = 0

    /// The steps of a program's instructions.
    static func all(of instructions: [TemplateInstruction], _ paths: [TemplatePath]) -> [TemplateStep] {
        instructions.indices.map { index in
            var step = TemplateStep(instructions[index], paths)
            if case .text = instructions[index], index + 1 < instructions.count {
                step.join(TemplateStep(instructions[index + 1], paths))
            }
            if step.action == .section { step.otherwise = step.afterFalse(instructions) }
            return step
        }
    }

    private func afterFalse(_ instructions: [TemplateInstruction]) -> UInt32 {
        guard target < instructions.count, case .inverted(path, _) = instructions[Int(target)] else { return target }
        return target + 1
    }

    private init(_ instruction: TemplateInstruction, _ paths: [TemplatePath]) {
        switch instruction {
        case .text(let offset, let count, let startsLine):
            text = TemplateText(offset: offset, count: count)
            hasText = count > 0 || startsLine
            self.startsLine = startsLine
        case .lineStart: action = .lineStart
        case .escaped(let path): look(up: path, paths, for: .escaped)
        case .raw(let path): look(up: path, paths, for: .raw)
        case .section(let path, let end, let source):
            look(up: path, paths, for: .section)
            (target, self.source) = (end, source)
        case .inverted(let path, let end):
            look(up: path, paths, for: .inverted)
            target = end
        case .endSection(let body): (action, target) = (.endSection, body)
        case .call(let row): (action, target) = (.call, row)
        case .block(let row): (action, target) = (.block, row)
        case .end: action = .end
        }
    }

    private mutating func look(up path: UInt32, _ paths: [TemplatePath], for action: Action) {
        self.action = action
        self.path = path
        hasValue = true
        if paths[Int(path)].rest.isEmpty { name = paths[Int(path)].head }
    }

    /// Takes over the instruction after a text, unless that is text, too.
    private mutating func join(_ next: TemplateStep) {
        guard next.action != .goOn else { return }
        let (text, hasText, startsLine) = (text, hasText, startsLine)
        self = next
        (self.text, self.hasText, self.startsLine) = (text, hasText, startsLine)
        length = 2
    }
}
