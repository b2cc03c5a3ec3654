/// A role: one file of a feature.
struct Role: Sendable {
    let file: SourceFile
    let part: Part

    init(_ file: SourceFile) {
        self.file = file
        part = Part(file)
    }

    var name: String { file.name }

    /// What its pattern calls it: `Presenter`.
    var title: String {
        let titles = ["Coordinator", "Router", "Wireframe", "Presenter", "ViewModel", "Controller", "State"]
        switch part {
        case .navigation, .logic: return titles.first(where: name.contains).map(Self.spaced) ?? part.rawValue
        case .contract: return file.protocols.count == 1 ? "Protocol" : part.rawValue
        default: return part.rawValue
        }
    }

    private static func spaced(_ title: String) -> String { title == "ViewModel" ? "View model" : title }

    /// Whether a test needs neither a request nor a response for it.
    var isWithoutHTTP: Bool { file.imports.isDisjoint(with: ["Roost", "PatternScreens"]) }

    /// Whether it has closures that others set, or a value that others follow: it tells them something without knowing
    /// them.
    var callsBack: Bool { file.text.contains("-> Void)?") || file.text.contains(": () -> Void") || isObserved }

    private var isObserved: Bool { file.words.contains("Observed") }

    /// How this role can call another; nil when it cannot.
    func relation(to other: Role) -> Relation.Kind? {
        guard name != other.name, part != .page else { return nil }
        if other.file.types.contains(where: file.words.contains), other.part != .contract { return .direct }
        // What conforms to the same protocol names it only for that.
        let known = other.file.conformances.subtracting(file.conformances)
        if !known.isDisjoint(with: file.words) { return .protocol }
        let isBound = other.file.words.contains("weak") || isObserved && other.part == .view
        return callsBack && isBound && file.types.contains(where: other.file.words.contains) ? .callback : nil
    }
}
