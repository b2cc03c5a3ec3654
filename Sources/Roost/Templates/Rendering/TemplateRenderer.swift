/// Executes a program's instructions and writes bytes.
///
/// Open sections, partials and blocks are kept on stacks in memory, with limits, so no template and no data can exhaust
/// the thread's stack. Steps and bytes are counted, so no rendering goes on without end. Only a lambda makes one
/// renderer call another; the depth of such calls is limited too.
final class TemplateRenderer {
    let program: TemplateProgram
    let tape: ValueTape
    let output: ByteBuffer
    let limits: TemplateLimits
    let missingNames: MissingNames
    @exclusivity(unchecked) var context: TemplateContext
    @exclusivity(unchecked) var calls: TemplateCallStack
    @exclusivity(unchecked) var steps = 0
    /// The instruction that is being executed, which errors point at.
    @exclusivity(unchecked) private(set) var position = 0
    /// The review in which a rendering of a sample notes what it showed and what was missing; nil for any other.
    private let review: TemplateReview?
    /// Whether `{{name}}` is escaped for HTML; not in a template whose name ends in `.txt`.
    private let escapes: Bool
    /// The element that loads the script of live pages, for `{{liveScript}}`; nil for nothing.
    private let liveScript: LiveElement?
    /// The language of the rendering, with its texts of `{{t "…"}}`; nil for English.
    let messages: MessageTable?
    /// Whether the rendering goes on. After it, its lambdas may not render.
    private(set) var isRunning = false
    let lambdaDepth: Int
    /// The number of open values at which a section that a lambda renders has ended; 0 for a whole template.
    @exclusivity(unchecked) private var outerValues = 0
    /// The rendering whose lambda began this one.
    let outer: TemplateRenderer?

    /// - Parameter root: The cell of the values in which names are looked up that the page does not have.
    init(
        _ workspace: TemplateWorkspace, over root: UInt32? = nil, missingNames: MissingNames,
        escapes: Bool = true, review: TemplateReview? = nil, liveScript: LiveElement? = nil,
        messages: MessageTable? = nil
    ) {
        program = workspace.program
        tape = workspace.tape
        output = workspace.output
        self.missingNames = missingNames
        self.review = review
        self.escapes = escapes
        self.liveScript = liveScript
        self.messages = messages
        limits = workspace.limits
        context = TemplateContext(tape: tape, maximumCount: limits.nesting + (root == nil ? 0 : 1))
        calls = TemplateCallStack(maximumDepth: limits.partials)
        lambdaDepth = 0
        outer = nil
        if let root { _ = context.push(root, isLoop: false) }
        _ = context.push(ValueTape.root, isLoop: false)
    }

    /// A renderer for what a lambda renders during another rendering.
    init(_ program: TemplateProgram, inside outer: TemplateRenderer, startsLine: Bool = true) {
        self.program = program
        self.outer = outer
        tape = outer.tape
        output = ByteBuffer()
        limits = outer.limits
        missingNames = outer.missingNames
        review = outer.review
        escapes = outer.escapes
        liveScript = outer.liveScript
        messages = outer.messages
        context = TemplateContext(copying: outer.context)
        calls = outer.calls.forLambda(startsLine: startsLine)
        lambdaDepth = outer.lambdaDepth + 1
        steps = outer.steps
    }

    /// Renders a template of the program.
    func render(template: Int) throws {
        review?.enter(template: template)
        try run(from: Int(program.tables.entries[template]))
    }

    /// Renders the content of a section for a value, as if it were the only element of a list.
    func render(section body: Int, _ cell: UInt32) throws {
        outerValues = context.count
        try push(cell, isLoop: false)
        try run(from: body)
    }

    private func run(from entry: Int) throws {
        isRunning = true
        defer { isRunning = false }
        try program.text.withUnsafeBufferPointer { try execute(program.instructions.base, $0, from: entry) }
        try checkSize()
    }

    private func execute(
        _ instructions: UnsafePointer<TemplateInstruction>, _ text: UnsafeBufferPointer<UInt8>, from entry: Int
    ) throws {
        var next = entry
        let limit = limits.steps
        while true {
            let instruction = instructions + next
            position = next
            next &+= 1
            steps &+= 1
            if steps > limit { throw tooLong() }
            if instruction.pointee.hasText {
                try write(instruction.pointee.text, of: text, instruction.pointee.startsLine)
            }
            let needsValue = instruction.pointee.hasValue
            let cell = needsValue ? try find(instruction.pointee.name, instruction.pointee.path) : 0
            switch instruction.pointee.action {
            case .goOn: break
            case .lineStart: if calls.isIndented { calls.beginLine(in: output) }
            case .escaped: try write(cell, instruction.pointee.path, escaped: escapes)
            case .raw: try write(cell, instruction.pointee.path, escaped: false)
            case .section: next = try enter(cell, instruction) ?? next
            case .inverted: next = enterInverted(cell, instruction) ?? next
            case .endSection:
                if output.count > limits.output { throw tooLarge() }
                if context.advance() {
                    next = Int(instruction.pointee.target)
                } else if context.count == outerValues {
                    return
                }
            case .call: next = try call(program.tables.calls[Int(instruction.pointee.target)], text)
            case .block: next = try enterBlock(program.tables.blocks[Int(instruction.pointee.target)], text) ?? next
            case .liveScript: liveScript?.write(to: output)
            case .translation:
                try write(program.tables.translations[Int(instruction.pointee.target)], escaped: escapes)
            case .formatted:
                try write(
                    program.tables.formats[Int(instruction.pointee.target)], of: instruction.pointee.path,
                    escaped: escapes)
            case .end:
                guard let back = calls.leave(output, text) else { return }
                next = back
            }
        }
    }

    /// Writes literal text.
    @inline(__always)
    private func write(_ literal: TemplateText, of text: UnsafeBufferPointer<UInt8>, _ startsLine: Bool) throws {
        guard let start = text.baseAddress.map({ $0 + Int(literal.offset) }) else { return }
        guard calls.isIndented else { return output.append(padded: start, count: Int(literal.count)) }
        try writeIndented(UnsafeBufferPointer(start: start, count: Int(literal.count)), startsLine)
    }

    @inline(never)
    private func writeIndented(_ bytes: UnsafeBufferPointer<UInt8>, _ startsLine: Bool) throws {
        calls.writeIndented(bytes, startsLine: startsLine, to: output, limit: limits.output)
        try checkSize()
    }

    // MARK: Sections

    /// Opens the value of a section. If its instructions are to be skipped, because it is not shown or lambdas have
    /// written it, returns where to go on.
    @inline(__always)
    private func enter(_ cell: UInt32, _ instruction: UnsafePointer<TemplateInstruction>) throws -> Int? {
        let value = tape.cells[Int(cell)]
        switch value.kind {
        case .list:
            guard value.first != 0 else { return skip(instruction) }
            if tape.hasLambdas, try enterLambdas(of: cell, instruction.pointee.source) {
                return Int(instruction.pointee.target)
            }
            try push(value.first, isLoop: true)
        case .function:
            review?.enter(section: position)
            try callLambda(value, program.tables.sections[Int(instruction.pointee.source)])
            return Int(instruction.pointee.target)
        default:
            guard isTruthy(value) else { return skip(instruction) }
            try push(cell, isLoop: false)
        }
        return nil
    }

    /// Returns the instruction to go on at after a section whose value is false.
    @inline(__always)
    private func skip(_ instruction: UnsafePointer<TemplateInstruction>) -> Int {
        Int(review == nil ? instruction.pointee.otherwise : instruction.pointee.target)
    }

    /// Opens an inverted section. If it is not shown, returns where to go on.
    @inline(__always)
    private func enterInverted(_ cell: UInt32, _ instruction: UnsafePointer<TemplateInstruction>) -> Int? {
        if isTruthy(tape.cells[Int(cell)]) { return Int(instruction.pointee.target) }
        review?.enter(section: position)
        return nil
    }

    @inline(__always)
    func push(_ cell: UInt32, isLoop: Bool) throws {
        guard context.push(cell, isLoop: isLoop) else {
            throw error("more than \(limits.nesting) sections are open: end the recursion of the data earlier")
        }
        review?.enter(section: position)
    }

    /// Whether a section with this value shows its content. It does not for false, nil, an empty list, an empty text.
    @inline(__always)
    private func isTruthy(_ value: TapeCell) -> Bool {
        switch value.kind {
        case .vacant, .absent, .null: false
        case .bool: value.payload != 0
        case .list, .text: value.count != 0
        default: true
        }
    }

    // MARK: Names

    /// The cell of an instruction's value: that of its name, if it has one, and else that of its path.
    @inline(__always)
    private func find(_ name: UInt32, _ path: UInt32) throws -> UInt32 {
        let cell = name == 0 ? 0 : context.find(name)
        return cell == 0 ? try find(path) : cell
    }

    /// The cell of a path. If nothing is found and that is allowed, it is cell 0, which is nil.
    @inline(never)
    func find(_ path: UInt32) throws -> UInt32 {
        guard path != 0 else { return context.current }
        let path = program.tables.paths[Int(path)]
        var cell = context.find(path[0])
        guard cell != 0 else { return try miss(path, part: 0, in: context.cells) }
        for part in 1..<path.count {
            if tape.isNil(cell) { return cell }
            let member = tape.member(path[part], of: cell)
            guard member != 0 else { return try miss(path, part: part, in: [cell]) }
            cell = member
        }
        return cell
    }

    private func miss(_ path: [UInt32], part: Int, in places: [UInt32]) throws -> UInt32 {
        guard missingNames == .error else { return 0 }
        let error = missingName(path, part: part, in: places)
        guard let review, review.add(error) else { throw error }
        return 0
    }

    // MARK: Partials and blocks

    private func call(_ call: TemplateCall, _ text: UnsafeBufferPointer<UInt8>) throws -> Int {
        guard let template = try target(call) else { return Int(call.after) }
        try checkSize()
        guard calls.enter(call, from: position, text) else {
            throw error("more than \(limits.partials) partials are open: end the recursion of the data earlier")
        }
        review?.enter(template: template)
        return Int(program.tables.entries[template])
    }

    private func target(_ call: TemplateCall) throws -> Int? {
        switch call.target {
        case .template(let template): return template
        case .nothing: return nil
        case .dynamic(let path):
            let cell = try find(path)
            if tape.isNil(cell) { return nil }
            let value = tape.cells[Int(cell)]
            let name = value.kind == .text ? String(decoding: tape.bytes(of: value), as: UTF8.self) : ""
            if let template = program.tables.templates[ExactText(name)] { return template }
            if missingNames == .empty { return nil }
            throw unknownTemplate(name, path)
        }
    }

    /// Enters the content that replaces a block. Nil if there is none.
    private func enterBlock(_ block: TemplateBlock, _ text: UnsafeBufferPointer<UInt8>) throws -> Int? {
        guard let (override, scope) = calls.override(of: block.name, in: program) else { return nil }
        guard calls.enter(block, override, scope, from: position, text, output) else {
            throw error("more than \(limits.partials) blocks are open: end the recursion of the data earlier")
        }
        return Int(override.start)
    }
}
