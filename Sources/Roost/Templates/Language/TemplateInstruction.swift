/// A unit of the renderer's work: literal text, and then one action.
///
/// Operands are indexes: of instructions (jumps), of bytes in the shared literal text, or of rows in the tables of
/// ``TemplateProgram``.
struct TemplateInstruction: Sendable, BitwiseCopyable {
    enum Action: UInt8, BitwiseCopyable {
        /// Goes on: there is only text.
        case goOn
        /// Writes the indentation, if there is one, for a line that begins with a tag.
        case lineStart
        /// Writes a value, escaped for HTML.
        case escaped
        /// Writes a value as it is.
        case raw
        /// Enters a section for each element, once, or not at all. `target` is the instruction after the section.
        case section
        /// Goes on to the content of an inverted section if the value is false, nil or empty, else to `target`.
        case inverted
        /// Goes on to the section's next element, at `target`, or leaves the section.
        case endSection
        /// Continues in another template, that of the call in row `target`, and comes back.
        case call
        /// Continues in the content that overrides the block in row `target`, or right here with the default content.
        case block
        /// Writes the element that loads the script of live pages, if the rendering is given one.
        case liveScript
        /// Writes the text in row `target`, in the language of the rendering.
        case translation
        /// Writes the value of the path in the form in row `target`, in the language of the rendering.
        case formatted
        /// Returns to the caller; without one, the rendering ends.
        case end
    }

    var text = TemplateText()
    /// Whether the text begins a line of its file.
    var startsLine = false
    var action = Action.goOn
    /// The name that the action's value is looked up by; 0 if the path must be followed, or is not needed.
    var name: UInt32 = 0
    /// The path of the action's value.
    var path: UInt32 = 0
    var target: UInt32 = 0
    /// The instruction to go on at if a section's value is false: in the inverted section of the same value, if that
    /// follows.
    var otherwise: UInt32 = 0
    /// The row of a section's source.
    var source: UInt32 = 0

    @inline(__always) var hasText: Bool { text.count > 0 || startsLine }

    /// Whether the action needs a value.
    @inline(__always) var hasValue: Bool {
        action.rawValue >= Action.escaped.rawValue && action.rawValue <= Action.inverted.rawValue
    }
}

/// Bytes in a program's literal text.
struct TemplateText: Sendable, BitwiseCopyable {
    var offset: UInt32 = 0
    var count: UInt32 = 0

    func bytes(in text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: text[Int(offset)..<Int(offset + count)])
    }
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
