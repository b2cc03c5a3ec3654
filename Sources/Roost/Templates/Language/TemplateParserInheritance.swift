/// Partials, parents and blocks, with their rules of indentation (mustache/spec 1.4, `partials` and `~inheritance`).
///
/// - A partial that is alone on its line indents the lines of the called template. So does a parent whose opening tag
///   begins a line and whose closing tag ends one, be it the same line or another.
/// - The content that overrides a block loses its own indentation, that of its first line with text.
/// - It gets the indentation of the block instead: that of the default content's first line, if the block's opening tag
///   is alone on its line and there is default content; else that of the tag.
extension TemplateParser {
    // MARK: Partials and parents

    mutating func writePartial(_ tag: TemplateTag) {
        let before = tag.isAlone ? lineContent(tag.lineStart)..<tag.range.lowerBound : 0..<0
        writeText(before: tag)
        var call = TemplateCall(target: target(tag), isAlone: tag.isAlone)
        call.indent = builder.store(source.bytes[before])
        let row = builder.tables.calls.count
        builder.emit(.call, target: UInt32(row), at: tag.range.lowerBound)
        call.after = builder.mark()
        builder.tables.calls.append(call)
        if let reference = reference(tag) { facts.references.append(reference) }
    }

    private mutating func target(_ tag: TemplateTag) -> TemplateCall.Target {
        if tag.isDynamic {
            facts.hasDynamicNames = true
            return .dynamic(path: builder.path(tag.name))
        }
        return builder.tables.templates[ExactText(tag.name)].map { .template($0) } ?? .nothing
    }

    private func reference(_ tag: TemplateTag) -> TemplateFacts.Reference? {
        guard !tag.isDynamic else { return nil }
        return TemplateFacts.Reference(
            name: tag.name, offset: tag.range.lowerBound, isParent: tag.kind == .parent,
            isUnconditional: open.isEmpty)
    }

    /// Writes the blanks before the tag as text. The closing tag shows whether they are an indentation instead.
    mutating func openParent(_ tag: TemplateTag) {
        let start = tag.clearsStart ? lineContent(tag.lineStart) : tag.range.lowerBound
        writeText(to: tag.clearsStart ? tag.lineStart : tag.range.lowerBound)
        let blanks = builder.store(source.bytes[start..<max(start, tag.range.lowerBound)])
        _ = builder.mark()
        builder.emit(blanks, startsLine: tag.clearsStart, at: tag.range.lowerBound)
        cursor = tag.range.upperBound
        let row = builder.tables.calls.add(row: TemplateCall(target: target(tag)))
        let instruction = builder.emit(.call, target: row, at: tag.range.lowerBound)
        push(
            Open(
                kind: .parent, tag: tag, instruction: instruction, row: Int(row), indent: blanks,
                reference: reference(tag)))
    }

    mutating func closeParent(_ parent: Open, _ tag: TemplateTag) {
        cursor = tag.range.upperBound
        builder.tables.calls[parent.row].overrides = builder.add(parent.overrides)
        builder.tables.calls[parent.row].after = builder.mark()
        if let reference = parent.reference { facts.references.append(reference) }
        guard parent.tag.clearsStart, let nextLine = tag.nextLine else { return }
        cursor = nextLine
        builder.tables.calls[parent.row].isAlone = true
        builder.tables.calls[parent.row].indent = parent.indent
        builder.instructions[parent.instruction].text = TemplateText()
        builder.instructions[parent.instruction].startsLine = false
    }

    // MARK: Content for a parent's block

    mutating func openOverride(_ tag: TemplateTag) {
        cursor = tag.nextLine ?? tag.range.upperBound
        var override = Open(kind: .override, tag: tag, instruction: Int(builder.mark()))
        override.outerOutdent = outdent
        if tag.nextLine != nil { outdent = firstLine(from: cursor) }
        push(override)
    }

    mutating func closeOverride(_ override: Open, _ tag: TemplateTag) {
        writeText(to: tag.clearsStart ? max(cursor, tag.lineStart) : tag.range.lowerBound)
        let isEmpty = override.instruction == Int(builder.next)
        builder.emit(.end, at: tag.range.lowerBound)
        _ = builder.mark()
        cursor = tag.range.upperBound
        outdent = override.outerOutdent
        let parent = open.count - 2
        let (name, start) = (builder.names.id(override.tag.name), override.tag.range.lowerBound)
        if open[parent].overrides.contains(where: { $0.name == name }) {
            fail("the block \"\(override.tag.name)\" is given twice: remove one of them", at: start)
        }
        open[parent].overrides.append(
            TemplateOverride(
                name: name, start: UInt32(override.instruction),
                isInline: override.tag.nextLine == nil && !isEmpty))
        open[parent].reference?.overrides.append((override.tag.name, start))
    }

    /// The blanks at the beginning of the first line that is not blank.
    private func firstLine(from start: Int) -> Range<Int> {
        let bytes = source.bytes
        guard let content = bytes[start...].firstIndex(where: { !$0.isSpace }) else { return start..<start }
        let lineStart = bytes[start..<content].lastIndex(of: .newline).map { $0 + 1 } ?? start
        return lineStart..<content
    }

    // MARK: Blocks

    mutating func openBlock(_ tag: TemplateTag) {
        writeText(before: tag)
        facts.blocks.insert(ExactText(tag.name))
        let block = TemplateBlock(name: builder.names.id(tag.name), beginsLine: tag.isAlone)
        let row = builder.tables.blocks.add(row: block)
        let instruction = builder.emit(.block, target: row, at: tag.range.lowerBound)
        _ = builder.mark()
        push(Open(kind: .block, tag: tag, instruction: instruction, row: Int(row), contentStart: cursor))
    }

    mutating func closeBlock(_ block: Open, _ tag: TemplateTag) {
        writeText(before: tag)
        var row = builder.tables.blocks[block.row]
        if block.tag.clearsStart, let nextLine = tag.nextLine {
            let isEmpty = tag.isAlone && tag.lineStart <= block.contentStart
            row.isAlone = true
            row.indent = builder.store(source.bytes[indentation(of: block, isEmpty: isEmpty)])
            row.newline = builder.store(lineEnding(before: nextLine))
            if !tag.isAlone {
                // The rest of the closing tag's line is default content, so that an override replaces it, too.
                _ = builder.mark()
                writeText(to: nextLine)
            }
        }
        row.after = builder.mark()
        builder.tables.blocks[block.row] = row
    }

    private func indentation(of block: Open, isEmpty: Bool) -> Range<Int> {
        let tag = block.tag
        let ofTag = min(lineContent(tag.lineStart), tag.range.lowerBound)..<tag.range.lowerBound
        guard tag.isAlone, !isEmpty else { return ofTag }
        let first = firstLine(from: block.contentStart)
        return min(lineContent(first.lowerBound), first.upperBound)..<first.upperBound
    }

    private func lineEnding(before nextLine: Int) -> ArraySlice<UInt8> {
        let bytes = source.bytes
        guard nextLine > 0, bytes[nextLine - 1] == .newline else { return [] }
        let isLong = nextLine > 1 && bytes[nextLine - 2] == .carriageReturn
        return bytes[(nextLine - (isLong ? 2 : 1))..<nextLine]
    }
}
