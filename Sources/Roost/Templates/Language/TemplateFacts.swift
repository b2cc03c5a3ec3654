/// What the checks at start need to know about one template.
struct TemplateFacts {
    struct Reference {
        let name: String
        let offset: Int
        let isParent: Bool
        /// Whether it is followed whatever the data is.
        let isUnconditional: Bool
        /// The blocks for which content is given, with their offsets.
        var overrides: [(name: String, offset: Int)] = []
    }

    var references: [Reference] = []
    var blocks: Set<String> = []
    /// Whether a name from the data decides what is included.
    var hasDynamicNames = false
}
