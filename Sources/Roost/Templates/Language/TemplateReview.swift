/// The findings of rendering samples: names that are missing, and which templates and sections were rendered at all.
final class TemplateReview {
    /// One error for each place.
    private(set) var missing: [TemplateError] = []
    /// The section tags whose content was shown, by instruction.
    private var sections: Set<Int> = []
    private var templates: Set<Int> = []

    /// The most errors that are reported at once.
    private static let maximumCount = 1000

    /// Keeps an error, unless the same was kept for the same place. False when there are too many to go on.
    @discardableResult
    func add(_ error: TemplateError) -> Bool {
        guard missing.count < Self.maximumCount else { return false }
        let isKnown = missing.contains { $0.location == error.location && $0.message == error.message }
        if !isKnown { missing.append(error) }
        return true
    }

    func enter(section instruction: Int) { sections.insert(instruction) }

    func enter(template: Int) { templates.insert(template) }

    /// An error for each template that no sample showed, and for each section that was not shown in the others.
    func unseen(in program: TemplateProgram) -> [TemplateError] {
        let unused = program.tables.sources.indices.filter { !templates.contains($0) }.map { template in
            TemplateError(
                "none of these views shows this template: add a sample of one that does, or remove the file",
                at: program.tables.sources[template].location(of: 0))
        }
        return unused + program.tables.positions.indices.compactMap { unseen($0, in: program) }
    }

    private func unseen(_ instruction: Int, in program: TemplateProgram) -> TemplateError? {
        let (action, path) = (program.instructions[instruction].action, program.instructions[instruction].path)
        guard action == .section || action == .inverted, !sections.contains(instruction),
            templates.contains(program.template(of: instruction))
        else { return nil }
        let tag = "{{\(action == .section ? "#" : "^")\(program.written(path))}}"
        return TemplateError(
            "no sample shows what is in \(tag): add one that does, so that it is checked",
            at: program.location(of: instruction))
    }
}
