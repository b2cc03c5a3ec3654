/// The partials, parents and blocks that are being rendered: where to go back to, what indents their lines, and which
/// content overrides which block.
///
/// A scope is the content that one parent tag gives for blocks. The scopes of open parents form a chain. The outermost
/// one with content for a block wins: it is in the template that inherits from the others. A block inside such content
/// belongs to that template too, so it is looked up only in the scopes around the one that gave the content.
struct TemplateCallStack {
    private struct Frame {
        /// The instruction that made the call.
        let caller: Int
        let after: Int
        let indentStart: Int
        let indentCount: Int
        /// The scope in force before: for a parent's content, the one around it.
        let scope: Int
        /// The content that a parent tag gives for blocks; empty for any other call.
        var overrides: Range<Int> = 0..<0
        /// The line ending to write after the content of a block that ends a line, if that content has none.
        var newline: TemplateText?
    }

    private let maximumDepth: Int
    private var frames: [Frame] = []
    /// The number of frames that the renderer around a lambda has opened: they give their content, and stay.
    private var outerCount = 0
    /// The frame of the innermost parent tag whose content is looked up; -1 for none.
    private var scope = -1
    /// The indentations in force, one after the other; the current one begins at `indentStart`.
    private var indents: [UInt8] = []
    private var indentStart = 0
    /// Whether lines begin with an indentation.
    var isIndented: Bool { indents.count > indentStart }
    /// The number of bytes of the indentation that the current line already has.
    private var written = 0

    init(maximumDepth: Int) {
        self.maximumDepth = maximumDepth
    }

    /// A copy for what a lambda renders, with the same scope and indentation. Nothing is open in it, so leaving ends
    /// the rendering.
    /// - Parameter startsLine: Whether the first line may lack its indentation.
    func forLambda(startsLine: Bool) -> TemplateCallStack {
        var copy = self
        copy.outerCount = frames.count
        if !startsLine { copy.written = indents.count - indentStart }
        return copy
    }

    /// The instructions that made the calls, the innermost first.
    var callers: [Int] { frames[outerCount...].reversed().map(\.caller) }

    // MARK: Calling

    /// Enters a template. `false` if too many calls are open.
    mutating func enter(_ call: TemplateCall, from caller: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard push(caller: caller, after: Int(call.after)) else { return false }
        if !call.isAlone { written = 0 }
        indent(call.isAlone ? call.indent : nil, text)
        if !call.overrides.isEmpty {
            scope = frames.count - 1
            frames[scope].overrides = call.overrides
        }
        return true
    }

    /// Enters the content that replaces a block. `false` if too many calls are open.
    mutating func enter(
        _ block: TemplateBlock, _ override: TemplateOverride, _ scope: Int, from caller: Int,
        _ text: UnsafeBufferPointer<UInt8>, _ output: ByteBuffer
    ) -> Bool {
        guard push(caller: caller, after: Int(block.after)) else { return false }
        self.scope = scope
        indent(block.isAlone ? block.indent : nil, text)
        if block.isAlone { frames[frames.count - 1].newline = block.newline }
        if !block.beginsLine {
            written = override.isInline ? 0 : indents.count - indentStart
        } else if block.isAlone, override.isInline {
            beginLine(in: output)
        }
        return true
    }

    private mutating func push(caller: Int, after: Int) -> Bool {
        guard frames.count - outerCount < maximumDepth else { return false }
        if frames.capacity == 0 { frames.reserveCapacity(8) }  // rather than for 1, 2 and 4
        frames.append(
            Frame(
                caller: caller, after: after, indentStart: indentStart, indentCount: indents.count, scope: scope))
        return true
    }

    /// Goes back to the caller. Returns the instruction to continue at, or `nil` when nothing is open.
    mutating func leave(_ output: ByteBuffer, _ text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard frames.count > outerCount, let frame = frames.popLast() else { return nil }
        if let newline = frame.newline { endLine(newline, text, output) }
        if indents.count > frame.indentCount { indents.removeSubrange(frame.indentCount...) }
        indentStart = frame.indentStart
        scope = frame.scope
        return frame.after
    }

    /// Ends the line, if the replacing content did not.
    private mutating func endLine(
        _ newline: TemplateText, _ text: UnsafeBufferPointer<UInt8>, _ output: ByteBuffer
    ) {
        written = 0
        guard output.count > 0, output.written[output.count - 1] != .newline else { return }
        output.append(newline.bytes(in: text))
    }

    /// The content for a block, from the outermost scope that has some, and the scope in which blocks inside it are
    /// looked up.
    func override(of name: UInt32, in program: TemplateProgram) -> (content: TemplateOverride, scope: Int)? {
        var found: (TemplateOverride, Int)?
        var current = scope
        while current >= 0 {
            let (overrides, outer) = (frames[current].overrides, frames[current].scope)
            if let override = program.tables.overrides[overrides].first(where: { $0.name == name }) {
                found = (override, outer)
            }
            current = outer
        }
        return found
    }

    // MARK: Indentation

    /// Adds to the indentation. A tag that shares its line with something else begins a new, empty one (`nil`).
    private mutating func indent(_ addition: TemplateText?, _ text: UnsafeBufferPointer<UInt8>) {
        guard let addition else { return indentStart = indents.count }
        let bytes = addition.bytes(in: text)
        if !bytes.isEmpty { indents.append(contentsOf: bytes) }
    }

    /// Writes literal text with the indentation in front of each line that begins in it. It stops indenting when the
    /// output is over the limit, which the caller then reports.
    mutating func writeIndented(
        _ text: UnsafeBufferPointer<UInt8>, startsLine: Bool, to output: ByteBuffer, limit: Int
    ) {
        if startsLine { beginLine(in: output) }
        var start = 0
        while output.count <= limit, let newline = text[start...].firstIndex(of: .newline), newline + 1 < text.count {
            output.append(UnsafeBufferPointer(rebasing: text[start...newline]))
            output.append(indents[indentStart...])
            start = newline + 1
        }
        output.append(UnsafeBufferPointer(rebasing: text[start...]))
    }

    /// Writes the indentation, or what the line lacks of it.
    mutating func beginLine(in output: ByteBuffer) {
        output.append(indents[min(indentStart + written, indents.count)...])
        written = 0
    }
}
