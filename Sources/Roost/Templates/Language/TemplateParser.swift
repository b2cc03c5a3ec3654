/// Compiles one template: reads its tags in order and writes instructions.
///
/// Open tags are kept on a stack in memory, so nesting does not use the thread's stack. A line that holds one tag alone
/// is left out, unless the tag shows a value. Text is written in pieces; each knows whether it begins a line, because
/// that is where the indentation of a partial goes. Partials, parents and blocks are in
/// `TemplateParserInheritance.swift`.
///
/// After a mistake, parsing goes on, so that they are reported together. It stops at the 20th.
struct TemplateParser {
    var builder: TemplateBuilder
    let source: TemplateSource
    let index: Int
    let maximumNesting: Int
    let assets: (any AssetFolder)?
    var scanner: TemplateScanner
    var facts = TemplateFacts()
    var errors: [TemplateError] = []
    var open: [Open] = []
    /// The offset of the text that was not written yet.
    var cursor = 0
    /// The indentation of the surrounding override's content, in the source. It is removed from each line, because the
    /// block that is replaced has an indentation of its own.
    var outdent: Range<Int> = 0..<0

    /// The section that was closed last.
    private var lastSection = 0

    /// A tag that waits for its closing tag.
    struct Open {
        enum Kind { case section, inverted, block, parent, override }
        let kind: Kind
        let tag: TemplateTag
        /// The instruction to complete when the closing tag comes; for an override, the first of its content.
        let instruction: Int
        /// The row in the table of blocks or calls.
        var row = 0
        var indent = TemplateText()
        var overrides: [TemplateOverride] = []
        var reference: TemplateFacts.Reference?
        var outerOutdent: Range<Int> = 0..<0
        /// The offset at which the content of a section or block begins.
        var contentStart = 0
    }

    init(
        _ source: TemplateSource, into builder: TemplateBuilder, limits: TemplateLimits, assets: (any AssetFolder)?,
        delimiters: TemplateDelimiters = .standard
    ) {
        self.assets = assets
        self.source = source
        self.builder = builder
        index = builder.tables.entries.count
        maximumNesting = limits.nesting
        scanner = TemplateScanner(source.bytes, delimiters: delimiters)
    }

    mutating func parse() {
        builder.begin(source)
        while errors.count < 20 {
            do throws(TemplateScanner.Fault) {
                guard let tag = try scanner.next() else { break }
                handle(tag)
            } catch {
                fail(error.message, at: error.offset)
                if error.isFinal { return finish() }
            }
        }
        finish()
    }

    private mutating func finish() {
        if errors.isEmpty {
            for tag in open.map(\.tag) { failUnclosed(tag) }
            writeText(to: source.bytes.count)
        }
        builder.emit(.end, at: source.bytes.count)
    }

    mutating func failUnclosed(_ tag: TemplateTag) {
        fail("\(tag.quoted) is not closed: write {{/\(tag.closingName)}} where it ends", at: tag.range.lowerBound)
    }

    mutating func fail(_ message: String, at offset: Int) {
        errors.append(TemplateError(message, at: source.location(of: offset)))
    }

    // MARK: Tags

    private mutating func handle(_ tag: TemplateTag) {
        if open.last?.kind == .parent, ![.block, .close, .comment, .delimiters].contains(tag.kind) {
            fail(
                "\(tag.quoted) has no effect between the tags of a parent: move it into a block",
                at: tag.range.lowerBound)
        }
        switch tag.kind {
        case .escaped, .raw, .liveScript, .translation, .formatted: writeValue(tag)
        case .asset: writeAsset(tag)
        case .comment, .delimiters: writeText(before: tag)
        case .section, .inverted: openSection(tag)
        case .partial: writePartial(tag)
        case .parent: openParent(tag)
        case .block where open.last?.kind == .parent: openOverride(tag)
        case .block: openBlock(tag)
        case .close: close(tag)
        }
    }

    /// Writes the place of what each rendering fills in: a value, a text or a format in its language, or the script of
    /// live pages.
    private mutating func writeValue(_ tag: TemplateTag) {
        let start = tag.range.lowerBound
        writeText(to: start)
        beginLine(tag)
        cursor = tag.range.upperBound
        switch tag.kind {
        case .liveScript: builder.emit(.liveScript, at: start)
        case .translation(let text, let paths):
            let values = paths.map { (name: TemplateTranslation.name(of: $0), path: builder.path($0)) }
            let translation = TemplateTranslation(text: text, values: values)
            builder.emit(.translation, target: builder.tables.translations.add(row: translation), at: start)
        case .formatted(let form, let path):
            let target = builder.tables.formats.add(row: form)
            builder.emit(.formatted, path: builder.path(path), target: target, at: start)
        default: builder.emit(tag.kind == .raw ? .raw : .escaped, path: builder.path(tag.name), at: start)
        }
    }

    /// Writes the URL of an asset, which is known now, as text.
    private mutating func writeAsset(_ tag: TemplateTag) {
        let start = tag.range.lowerBound
        writeText(to: start)
        cursor = tag.range.upperBound
        do {
            let url = try assets?.asset(tag.name) ?? "/" + tag.name
            builder.emit(text: Array(url.utf8)[...], startsLine: lineContent(tag.lineStart) == start, at: start)
        } catch {
            fail("\(error)", at: start)
        }
    }

    private mutating func openSection(_ tag: TemplateTag) {
        writeText(before: tag)
        let path = builder.path(tag.name)
        let action = tag.kind == .section ? TemplateInstruction.Action.section : .inverted
        let index = builder.emit(action, path: path, at: tag.range.lowerBound)
        push(
            Open(
                kind: tag.kind == .section ? .section : .inverted, tag: tag, instruction: index, contentStart: cursor))
        let body = builder.mark()
        let last = builder.instructions[lastSection]
        if action == .inverted, last.action == .section, last.target == index, last.path == path,
            !builder.instructions[index].hasText
        {
            builder.instructions[lastSection].otherwise = body
        }
    }

    mutating func push(_ tag: Open) {
        if open.count == maximumNesting {
            fail("tags are nested more than \(maximumNesting) levels deep: use partials", at: tag.tag.range.lowerBound)
        }
        open.append(tag)
    }

    private mutating func close(_ tag: TemplateTag) {
        guard let last = open.last else {
            return fail("\(tag.quoted) closes nothing: remove it, or open it before", at: tag.range.lowerBound)
        }
        guard last.tag.isClosed(by: tag) else { return closeWrong(tag, last) }
        switch last.kind {
        case .section, .inverted: closeSection(last, tag)
        case .block: closeBlock(last, tag)
        case .override: closeOverride(last, tag)
        case .parent: closeParent(last, tag)
        }
        open.removeLast()
    }

    private mutating func closeWrong(_ tag: TemplateTag, _ last: Open) {
        let line = source.location(of: last.tag.range.lowerBound).line
        if let index = open.lastIndex(where: { $0.tag.isClosed(by: tag) }) {
            for unclosed in open[(index + 1)...].map(\.tag) { failUnclosed(unclosed) }
            open.removeSubrange(index...)
        } else {
            fail(
                "\(tag.quoted) does not close \(last.tag.quoted) of line \(line): write {{/\(last.tag.closingName)}}",
                at: tag.range.lowerBound)
        }
    }

    private mutating func closeSection(_ section: Open, _ tag: TemplateTag) {
        let contentEnd = tag.isAlone ? tag.lineStart : tag.range.lowerBound
        writeText(before: tag)
        if section.kind == .inverted {
            builder.instructions[section.instruction].target = builder.mark()
            return
        }
        builder.emit(.endSection, target: UInt32(section.instruction + 1), at: tag.range.lowerBound)
        let content = TemplateSectionSource(
            template: index, range: section.contentStart..<max(contentEnd, section.contentStart),
            delimiters: scanner.delimiters)
        builder.instructions[section.instruction].source = builder.tables.sections.add(row: content)
        builder.instructions[section.instruction].target = builder.mark()
        builder.instructions[section.instruction].otherwise = builder.next
        lastSection = section.instruction
    }

    // MARK: Text

    /// Writes the text before a tag, and moves past the tag, or past its whole line if it is alone there.
    mutating func writeText(before tag: TemplateTag) {
        if let nextLine = tag.nextLine, tag.clearsStart {
            writeText(to: tag.lineStart)
            cursor = nextLine
        } else {
            writeText(to: tag.range.lowerBound)
            if tag.kind != .comment, tag.kind != .delimiters { beginLine(tag) }
            cursor = tag.range.upperBound
        }
    }

    /// Begins a line if the tag is the first thing on it, without text before it, not even blanks.
    mutating func beginLine(_ tag: TemplateTag) {
        guard open.last?.kind != .parent else { return }
        if lineContent(tag.lineStart) == tag.range.lowerBound { builder.emit(.lineStart, at: tag.range.lowerBound) }
    }

    /// Writes the text from the cursor on.
    mutating func writeText(to end: Int) {
        defer { cursor = max(cursor, end) }
        guard cursor < end, open.last?.kind != .parent else { return }
        if outdent.isEmpty { return writePiece(cursor..<end) }
        while cursor < end {
            let lineEnd = source.bytes[cursor..<end].firstIndex(of: .newline).map { $0 + 1 } ?? end
            let start = isLineStart(cursor) ? min(lineContent(cursor), lineEnd) : cursor
            writePiece(start..<lineEnd, startsLine: isLineStart(cursor))
            cursor = lineEnd
        }
    }

    private mutating func writePiece(_ range: Range<Int>, startsLine: Bool? = nil) {
        builder.emit(
            text: source.bytes[range], startsLine: startsLine ?? isLineStart(range.lowerBound), at: range.lowerBound)
    }

    private func isLineStart(_ offset: Int) -> Bool {
        offset == 0 || source.bytes[offset - 1] == .newline
    }

    /// Returns the offset of a line's content, after the indentation that is removed (`outdent`).
    func lineContent(_ lineStart: Int) -> Int {
        var index = lineStart
        for wanted in source.bytes[outdent] {
            guard index < source.bytes.count, source.bytes[index] == wanted else { break }
            index += 1
        }
        return index
    }
}
