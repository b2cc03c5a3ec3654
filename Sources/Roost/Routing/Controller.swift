/// Handlers that belong together, and the paths that they handle.
public protocol Controller: Sendable {
    /// Declares the routes; called once, at start. An error stops the start.
    func routes(_ routes: Routes) throws
}
