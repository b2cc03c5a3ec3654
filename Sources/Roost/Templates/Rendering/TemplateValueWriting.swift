import FoundationEssentials

/// Writing values as text, and the errors for names that are missing.
extension TemplateRenderer {
    /// Writes the value that a path has led to.
    @inline(__always)
    func write(_ cell: UInt32, _ path: UInt32, escaped: Bool) throws {
        let value = tape.cells[Int(cell)]
        switch value.kind {
        case .text: writeText(value, escaped: escaped)
        case .int: output.append(decimal: Int64(bitPattern: value.payload))
        case .vacant, .absent, .null: break
        default: writeText(try text(of: value, path), escaped: escaped)
        }
        try checkSize()
    }

    /// Writes a text in the language of the rendering, with its values.
    @inline(never)
    func write(_ translation: TemplateTranslation, escaped: Bool) throws {
        if translation.text.isEmpty, let value = translation.values.first {
            let text = try text(at: value.path)
            writeText(messages?.text(text) ?? text, escaped: escaped)
            return try checkSize()
        }
        var values: [String: String] = [:]
        for (name, path) in translation.values { values[name] = try text(at: path) }
        writeText((messages ?? .english).text(Sentence(translation.text, texts: values)), escaped: escaped)
        try checkSize()
    }

    /// Writes the value of a path by the rules of the rendering's language; nothing for one that is nil.
    @inline(never)
    func write(_ form: ValueFormat, of path: UInt32, escaped: Bool) throws {
        let value = try text(at: path)
        guard !value.isEmpty else { return }
        if let text = (messages ?? .english).text(of: value, as: form) {
            writeText(text, escaped: escaped)
        } else if missingNames == .error, Double(value)?.isFinite ?? true {
            let name = program.written(path)
            throw error("\"\(name)\" is no value to write so: it should be \(form.values)")
        } else {
            writeText(value, escaped: escaped)
        }
        try checkSize()
    }

    /// The text of the value that a path leads to, as it would be written.
    private func text(at path: UInt32) throws -> String {
        try text(of: tape.cells[Int(try find(path))], path)
    }

    @inline(never)
    private func text(of value: TapeCell, _ path: UInt32) throws -> String {
        switch value.kind {
        case .function: return try result(of: value)
        case .object, .list: try refuse(value.kind == .list ? "a list" : "an object", path)
        default: break
        }
        let text = tape.plainText(of: value) ?? ""
        guard text.isEmpty, value.kind == .date else { return text }
        throw error("a date outside the years 0000 to 9999 has no ISO 8601 form: show another text")
    }

    @inline(__always)
    private func writeText(_ value: TapeCell, escaped: Bool) {
        let text = tape.text.base + Int(value.payload)
        if escaped {
            HTMLEscaping.append(padded: text, count: Int(value.count), to: output)
        } else {
            output.append(text, count: Int(value.count))
        }
    }

    private func writeText(_ text: String, escaped: Bool) {
        if escaped { HTMLEscaping.append(text.utf8, to: output) } else { output.append(text) }
    }

    private func refuse(_ kind: String, _ path: UInt32) throws {
        guard missingNames != .empty else { return }
        let name = program.written(path)
        throw error("\"\(name)\" is \(kind), which has no text: use {{#\(name)}}…{{/\(name)}} to show what is in it")
    }

    // MARK: Missing names

    /// The error for a name that was not found.
    /// - Parameters:
    ///   - part: Which part of the path was not found, from 0.
    ///   - places: The cells in which it was looked up, the innermost first.
    func missingName(_ path: [UInt32], part: Int, in places: [UInt32]) -> TemplateError {
        let names = path.map(tape.names.name)
        let owner = part == 0 ? "the page" : "\"\(names[..<part].joined(separator: "."))\""
        let object = places.first { tape.cells[Int($0)].kind == .object }
        let known = object.map { tape.fieldNames(of: $0) } ?? []
        let message = "\(owner) has no \"\(names[part])\""
        if part > 0, places.contains(where: { tape.cells[Int($0)].kind == .list }) {
            return error("\(message): it is a list; make its count, or one of its elements, a property of the page")
        }
        return error("\(message): \(advice(names[part], known, hasObject: object != nil))")
    }

    private func advice(_ name: String, _ known: [String], hasObject: Bool) -> String {
        guard hasObject else { return "it has no fields at all; write {{.}} for the value itself" }
        guard !known.isEmpty else { return "it has no fields here; add one or correct the name" }
        let closest = ClosestName(to: name).question(among: known)
        let list = known.prefix(20).joined(separator: ", ") + (known.count > 20 ? ", …" : "")
        let value = name == "this" ? "write {{.}} for the value itself;" : nil
        return (value ?? closest ?? "add it, correct the name, or give it to every page (pageValues);")
            + " it has \(list)"
    }

    func unknownTemplate(_ name: String, _ path: UInt32) -> TemplateError {
        let advice = ClosestName(to: name).question(among: program.tables.sources.map(\.name))
        return error(
            "\"\(program.written(path))\" names the template \"\(name)\", which does not exist: "
                + (advice ?? "create it or give another name"))
    }
}

extension ValueTape {
    var hasLambdas: Bool { !functions.isEmpty }

    /// Whether a value is nil, as one that was never written is.
    func isNil(_ cell: UInt32) -> Bool {
        switch cells[Int(cell)].kind {
        case .vacant, .absent, .null: true
        default: false
        }
    }

    func fieldNames(of object: UInt32) -> [String] {
        members(of: object).map { names.name(cells[Int($0)].name) }
    }
}
