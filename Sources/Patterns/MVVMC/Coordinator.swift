import PatternScreens

/// A coordinator: it shows screens, and has a place in the tree.
protocol Coordinator: AnyObject {
    var navigation: Navigation { get }
    /// The coordinator that has started this one; nil for the root.
    var parent: (any Coordinator)? { get }
}

extension Coordinator {
    /// The names of the coordinators from the root down to this one: `AppCoordinator › UserCoordinator`.
    var lineage: String { (parent.map { $0.lineage + " › " } ?? "") + "\(type(of: self))" }
}
