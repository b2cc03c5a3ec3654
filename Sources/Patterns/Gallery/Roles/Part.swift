/// What a role does, whatever its pattern calls it; the rows in which patterns are read beside each other.
enum Part: String, CaseIterable, Sendable {
    case entry = "Entry"
    case navigation = "Coordinator, router, wireframe"
    case view = "View"
    case logic = "Controller, presenter, view model"
    case useCase = "Interactor"
    case contract = "Protocols"
    case model = "Model"
    case page = "Page"

    /// The part of a file, which its name and its declarations tell.
    init(_ file: SourceFile) {
        let name = file.name
        if let known = Self.exceptions[name] {
            self = known
        } else if !file.types.isEmpty, file.types == file.protocols {
            self = .contract
        } else if name.contains("Coordinator") || name.hasSuffix("Router") || name.contains("Wireframe") {
            self = .navigation
        } else if name.hasSuffix("ViewController") || name.hasSuffix("View") {
            self = .view
        } else if name.hasSuffix("Presenter") || name.hasSuffix("ViewModel") || name.hasSuffix("Controller") {
            self = .logic
        } else if name.hasSuffix("Interactor") {
            self = .useCase
        } else if name.hasSuffix("Scene") {
            self = .entry
        } else {
            self = name.hasSuffix("Page") ? .page : .model
        }
    }

    private static let exceptions: [String: Part] = [
        "AuthService": .model, "CountItemViewModel": .model, "LiveLogins": .entry, "LoginState": .logic,
        "LoginUpdate": .view,
    ]
}
