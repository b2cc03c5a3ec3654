/// One step of a compiled template.
///
/// Operands are indexes: of instructions (jumps), of bytes in the shared literal text, or of rows in the tables of
/// ``TemplateProgram``.
enum TemplateInstruction {
    /// Writes literal text; `startsLine` says that it begins at the beginning of a line of its file.
    case text(offset: UInt32, count: UInt32, startsLine: Bool)
    /// Begins a line that has no literal text in front of its first tag: writes the indentation, if there is one.
    case lineStart
    /// Writes a value, escaped for HTML.
    case escaped(path: UInt32)
    /// Writes a value as it is.
    case raw(path: UInt32)
    /// Enters a section for each element, once, or not at all (`end` is the instruction after it).
    case section(path: UInt32, end: UInt32, source: UInt32)
    /// Skips to `end` unless the value is false, empty or absent.
    case inverted(path: UInt32, end: UInt32)
    /// Goes on to the section's next element, at `body`, or leaves the section.
    case endSection(body: UInt32)
    /// Continues in another template and comes back.
    case call(UInt32)
    /// Continues in the content that overrides this block, or right here with the default content.
    case block(UInt32)
    /// Returns to the caller.
    case end
}

/// Bytes in a program's literal text.
struct TemplateText: Sendable {
    var offset: UInt32 = 0
    var count: UInt32 = 0
}

/// A name, dotted or not: the first part is looked up in all open contexts, the rest in what was found before.
struct TemplatePath: Sendable {
    /// The first part's id; 0 is the implicit iterator `{{.}}`.
    let head: UInt32
    /// Where the other parts stand in the program's `parts`.
    let rest: Range<UInt32>
}

/// What lies between a section's tags, for lambdas.
struct TemplateSectionSource: Sendable {
    let template: Int
    let range: Range<Int>
    let delimiters: TemplateDelimiters
}

/// A partial or parent tag.
struct TemplateCall: Sendable {
    enum Target: Sendable {
        case template(Int)
        case dynamic(path: UInt32)
        /// A name that is not known, where that is allowed: renders nothing.
        case nothing
    }

    let target: Target
    /// Whether the tag stands alone on its line, so that the called template's lines are indented like it.
    var isAlone = false
    var indent = TemplateText()
    var overrides: Range<Int> = 0..<0
    /// The instruction to come back to, after the bodies of the overrides.
    var after: UInt32 = 0
}

/// The content that a parent tag gives for one block.
struct TemplateOverride: Sendable {
    let name: UInt32
    let start: UInt32
    /// Whether there is content that begins on the line of its opening tag.
    let isInline: Bool
}

/// A block tag where content can be replaced.
struct TemplateBlock: Sendable {
    let name: UInt32
    /// Whether the opening tag begins its line and the closing tag ends one.
    var isAlone = false
    /// Whether the opening tag has a line to itself, so that replacing content begins a new line.
    var beginsLine = false
    /// What stands before each line of the replacing content.
    var indent = TemplateText()
    /// The line ending after the closing tag, written when the replacing content does not bring its own.
    var newline = TemplateText()
    /// The instruction after the block and the text that belongs to its default content.
    var after: UInt32 = 0
}
