/// The memory of a rendering, which a thread keeps for its next one: a page costs little more than its bytes, and the
/// names of its fields are known from the last time.
final class TemplateWorkspace: Reusable {
    let program: TemplateProgram
    private(set) var tape: TemplateTape
    let output = ByteBuffer(capacity: 4096)

    private static let kept = ThreadKept<TemplateWorkspace>()
    /// More memory than this is not kept.
    private static let maximumOutput = 1 << 16

    private init(_ program: TemplateProgram, _ limits: TemplateLimits) {
        self.program = program
        tape = TemplateTape(names: TemplateNames(program.names), limits: limits)
    }

    /// Lets `body` render with memory that nobody else uses meanwhile.
    static func use<Result>(
        for program: TemplateProgram, _ limits: TemplateLimits, _ body: (TemplateWorkspace) throws -> Result
    ) rethrows -> Result {
        var workspace = kept.take()
        if workspace?.program !== program {
            workspace?.letGo()
            workspace = nil
        }
        let current = workspace ?? TemplateWorkspace(program, limits)
        defer { kept.giveBack(current) }
        return try body(current)
    }

    /// A tape that somebody still holds, such as a page that has kept its ``TemplateSlot``, is not used again: it could
    /// read or change the next page.
    func clear() -> Bool {
        letGo()
        output.removeAll()
        output.trim(to: Self.maximumOutput)
        return isKnownUniquelyReferenced(&tape) && tape.clear()
    }

    /// The containers refer to the tape, which would otherwise never be released.
    func letGo() { tape.containers.forget() }
}
