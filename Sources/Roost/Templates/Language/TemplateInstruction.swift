/// One step of a compiled template.
///
/// Operands are indexes: of instructions (jumps), of bytes in the shared literal text, or of rows in the tables of
/// ``TemplateProgram``.
enum TemplateInstruction {
    /// Writes literal text; `startsLine` says that it begins a line of its file.
    case text(offset: UInt32, count: UInt32, startsLine: Bool)
    /// Writes the indentation, if there is one, for a line that begins with a tag.
    case lineStart
    /// Writes a value, escaped for HTML.
    case escaped(path: UInt32)
    /// Writes a value as it is.
    case raw(path: UInt32)
    /// Enters a section for each element, once, or not at all. `end` is the instruction after the section.
    case section(path: UInt32, end: UInt32, source: UInt32)
    /// Goes on to the content of an inverted section if the value is false, nil or empty, else to `end`.
    case inverted(path: UInt32, end: UInt32)
    /// Goes on to the section's next element, at `body`, or leaves the section.
    case endSection(body: UInt32)
    /// Continues in another template and comes back.
    case call(UInt32)
    /// Continues in the content that overrides this block, or right here with the default content.
    case block(UInt32)
    /// Returns to the caller; without one, the rendering ends.
    case end
}

/// Bytes in a program's literal text.
struct TemplateText: Sendable, BitwiseCopyable {
    var offset: UInt32 = 0
    var count: UInt32 = 0
}

/// A name, dotted or not. The first part is looked up in all open contexts, each other part in the value before it.
struct TemplatePath: Sendable {
    /// The first part's id; 0 is the implicit iterator `{{.}}`.
    let head: UInt32
    /// The range of the other parts in the program's `parts`.
    let rest: Range<UInt32>
}

/// The source between a section's tags, for lambdas.
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
        /// A template that does not exist, where that is allowed. Renders nothing.
        case nothing
    }

    let target: Target
    /// Whether the called template's lines are indented like the tag: a partial stands alone on its line; a parent's
    /// opening tag begins a line and its closing tag ends one.
    var isAlone = false
    var indent = TemplateText()
    var overrides: Range<Int> = 0..<0
    /// The instruction to come back to, which is after the content of the overrides.
    var after: UInt32 = 0
}

/// The content that a parent tag gives for one block.
struct TemplateOverride: Sendable {
    let name: UInt32
    let start: UInt32
    /// Whether there is content, and it begins on the line of the opening tag.
    let isInline: Bool
}

/// A block, whose content can be replaced.
struct TemplateBlock: Sendable {
    let name: UInt32
    /// Whether the opening tag begins its line and the closing tag ends one.
    var isAlone = false
    /// Whether the opening tag is alone on its line, so that replacing content begins a new line.
    var beginsLine = false
    /// The indentation of each line of the replacing content.
    var indent = TemplateText()
    /// The line ending after the closing tag, written if the replacing content does not end its line.
    var newline = TemplateText()
    /// The instruction after the default content, and after the line ending that belongs to it.
    var after: UInt32 = 0
}
