/// The role of a file in its pattern, by the pattern's own word.
enum Part: String, CaseIterable, Encodable, Sendable {
    case entry = "Entry"
    case view = "View"
    case controller = "Controller"
    case presenter = "Presenter"
    case viewModel = "View model"
    case interactor = "Interactor"
    case protocols = "Protocols"
    case coordinator = "Coordinator"
    case router = "Router"
    case model = "Model"
    case shared = "Shared by all patterns"

    /// The parts that do the same in different patterns, in the order in which two patterns are read beside each other.
    static let rows: [(name: String, parts: [Part])] = [
        ("View", [.view]), ("Controller, presenter, view model", [.controller, .presenter, .viewModel]),
        ("Interactor", [.interactor]), ("Protocols", [.protocols]), ("Coordinator, router", [.coordinator, .router]),
    ]
}
