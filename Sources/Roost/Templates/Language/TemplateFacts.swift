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
    }

    var references: [Reference] = []
    var blocks: Set<ExactText> = []
    /// Whether a name from the data decides what is included.
    var hasDynamicNames = false
}
