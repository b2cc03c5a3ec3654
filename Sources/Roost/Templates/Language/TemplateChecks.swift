/// Finds mistakes between templates before any page is rendered.
///
/// These are partials and parents that do not exist, content for blocks that the parent does not have, and templates
/// that include themselves whatever the data is. With `allowsUnknown`, only the last is a mistake.
struct TemplateChecks {
    let tables: TemplateTables
    let facts: [TemplateFacts]
    let allowsUnknown: Bool

    func run() -> [TemplateError] {
        let strict = allowsUnknown ? [] : unknownReferences() + unknownBlocks()
        return strict + recursion()
    }

    private func error(_ message: String, _ template: Int, _ offset: Int) -> TemplateError {
        TemplateError(message, at: tables.sources[template].location(of: offset))
    }

    // MARK: Names

    private func unknownReferences() -> [TemplateError] {
        facts.enumerated().flatMap { template, facts in
            let source = tables.sources[template]
            let folder = source.file.dropLast(source.name.count + Templates.suffix.count)
            return facts.references.filter { tables.templates[ExactText($0.name)] == nil }.map { reference in
                let file: String = folder + reference.name + Templates.suffix
                return error(reference.unknown(among: tables.sources, file: file), template, reference.offset)
            }
        }
    }

    // MARK: Blocks

    private func unknownBlocks() -> [TemplateError] {
        facts.enumerated().flatMap { template, facts in
            facts.references.filter { !$0.overrides.isEmpty }.flatMap { reference -> [TemplateError] in
                guard let blocks = blocks(reachableFrom: reference.name) else { return [] }
                return reference.overrides.filter { !blocks.contains(ExactText($0.name)) }.map { override in
                    let advice =
                        ClosestName(to: override.name).question(among: blocks.map(\.text).sorted())
                        ?? "add {{$\(override.name)}}{{/\(override.name)}} to it or correct the name"
                    return error(
                        "\"\(reference.name)\" has no block \"\(override.name)\": \(advice)", template, override.offset)
                }
            }
        }
    }

    /// The blocks of a template and of all that it includes; `nil` if a dynamic or unknown name is among these.
    private func blocks(reachableFrom name: String) -> Set<ExactText>? {
        var blocks: Set<ExactText> = []
        var seen: Set<Int> = []
        var waiting = [name]
        while let next = waiting.popLast() {
            guard let template = tables.templates[ExactText(next)] else { return nil }
            guard seen.insert(template).inserted else { continue }
            guard !facts[template].hasDynamicNames else { return nil }
            blocks.formUnion(facts[template].blocks)
            waiting += facts[template].references.map(\.name)
        }
        return blocks
    }

    // MARK: Recursion

    private enum Mark { case new, open, done }

    /// Follows the partials and parents that are included whatever the data is, depth first. The stack is an array, so
    /// that a long chain does not use the thread's stack.
    private func recursion() -> [TemplateError] {
        let certain = facts.map { $0.references.filter(\.isUnconditional) }
        var marks = [Mark](repeating: .new, count: facts.count)
        var errors: [TemplateError] = []
        for start in facts.indices where marks[start] == .new {
            var stack: [(template: Int, next: Int)] = [(start, 0)]
            marks[start] = .open
            while let (template, next) = stack.last {
                guard next < certain[template].count else {
                    marks[template] = .done
                    stack.removeLast()
                    continue
                }
                stack[stack.count - 1].next += 1
                let reference = certain[template][next]
                guard let target = tables.templates[ExactText(reference.name)] else { continue }
                if marks[target] == .open {
                    errors.append(loop(stack.map(\.template), to: target, at: reference.offset))
                } else if marks[target] == .new {
                    marks[target] = .open
                    stack.append((target, 0))
                }
            }
        }
        return errors
    }

    private func loop(_ stack: [Int], to target: Int, at offset: Int) -> TemplateError {
        let loop = stack.drop { $0 != target } + [target]
        let names = loop.map { "\"\(tables.sources[$0].name)\"" }.joined(separator: " → ")
        return error(
            "\(names) includes itself without end: put the tag in a section that ends when the data does",
            stack.last ?? target, offset)
    }
}

/// The facts about one template that ``TemplateChecks`` needs.
struct TemplateFacts {
    struct Reference {
        let name: String
        let offset: Int
        let isParent: Bool
        /// Whether it is included whatever the data is: it stands in no section, block or parent.
        let isUnconditional: Bool
        /// The blocks for which content is given, with their offsets.
        var overrides: [(name: String, offset: Int)] = []

        /// The message for a name that no template has.
        /// - Parameter file: What would have to be created for it.
        func unknown(among sources: [TemplateSource], file: String) -> String {
            let advice =
                ClosestName(to: name).question(among: sources.map(\.name)) ?? "create \(file) or correct the name"
            return "unknown \(isParent ? "parent" : "partial") \"\(name)\": \(advice)"
        }
    }

    var references: [Reference] = []
    var blocks: Set<ExactText> = []
    /// Whether a name from the data decides what is included.
    var hasDynamicNames = false
}
