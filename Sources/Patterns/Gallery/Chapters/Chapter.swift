import PatternCore

/// What the gallery shows of one pattern. Its words are in `Templates/patterns/chapters/`.
struct Chapter: Sendable {
    let pattern: Pattern
    let features: [Feature]
    /// The screens to try, with the features that they belong to.
    let screens: [(name: String, feature: String, path: String)]

    static let all = Pattern.allCases.map(Chapter.init)

    init(_ pattern: Pattern) {
        self.pattern = pattern
        let login = (name: "Login", feature: "Login", path: "login")
        screens =
            switch pattern {
            case .mvc: [login, (name: "Label and detail", feature: "Label", path: "label")]
            case .mvp: [login, (name: "Counter", feature: "Counter", path: "counter")]
            case .mvpR: [(name: "Label and detail", feature: "Label", path: "label")]
            case .mvvm: [login]
            case .mvvmC: [login, (name: "User, detail and next", feature: "User", path: "user")]
            case .viper: [login, (name: "Items", feature: "Items", path: "items")]
            }
        features = screens.map { Feature(pattern, $0.feature) }
    }

    static func chapter(_ pattern: Pattern) -> Chapter? { all.first { $0.pattern == pattern } }

    /// The feature that the others can be compared with.
    var login: Feature? { features.first { $0.name == "Login" } }

    /// The feature that has a role.
    func feature(of role: String) -> Feature? {
        features.first { $0.roles.contains { $0.name == role } }
    }
}
