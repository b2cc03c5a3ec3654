/// A group of actions that belong together, and the paths that they answer.
public protocol Controller: Sendable {
    /// Declares the routes; called once, at start. What it throws ends the start.
    func routes(_ routes: Routes) throws
}
