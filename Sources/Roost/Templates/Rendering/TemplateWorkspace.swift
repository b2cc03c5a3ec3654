/// The memory of a rendering, which a thread keeps for its next one: a page costs little more than its bytes, and the
/// names of its fields are known from the last time.
final class TemplateWorkspace: Reusable {
    let program: TemplateProgram
    let limits: TemplateLimits
    private(set) var tape: ValueTape
    /// The size of the names that templates have.
    private let sizeOfNames: Int
    let output = ByteBuffer(capacity: 4096)

    private static let kept = ThreadKept<TemplateWorkspace>()
    /// More memory than this is not kept.
    private static let maximumOutput = 1 << 16
    /// Nor are more bytes of names that no template has, such as a dictionary's keys.
    private static let maximumNames = 4096

    private init(_ program: TemplateProgram, _ limits: TemplateLimits) {
        self.program = program
        self.limits = limits
        let names = NameTable(program.names)
        sizeOfNames = names.size
        tape = ValueTape(names: names, limits: limits.tape)
    }

    /// Lets `body` render with memory that nobody else uses meanwhile.
    static func use<Result>(
        for program: TemplateProgram, _ limits: TemplateLimits, _ body: (TemplateWorkspace) throws -> Result
    ) rethrows -> Result {
        let workspace = kept.take()
        let current = workspace?.program === program ? workspace : nil
        let used = current ?? TemplateWorkspace(program, limits)
        defer { kept.giveBack(used) }
        return try body(used)
    }

    /// A tape that somebody still holds, such as a page that has kept its encoder, is not used again: it could read or
    /// change the next page.
    func clear() -> Bool {
        output.removeAll()
        output.trim(to: Self.maximumOutput)
        return isKnownUniquelyReferenced(&tape) && tape.clear()
            && tape.names.size - sizeOfNames <= Self.maximumNames
    }
}

extension TemplateLimits {
    fileprivate var tape: TapeLimits { TapeLimits(values: values, text: output, depth: depth) }

    /// The error for a page that has reached a limit.
    func error(for limit: TapeLimit) -> TemplateError {
        switch limit {
        case .values: TemplateError("the page has more than \(values) values: show less of it, page by page")
        case .text: TemplateError("the page's texts have more than \(output) bytes: show less, page by page")
        case .depth:
            TemplateError("the page's values are nested more than \(depth) levels deep: show fewer levels")
        }
    }
}
