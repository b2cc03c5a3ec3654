/// Middleware that gives the routes of a group a convention for JSON other than the application's.
///
///     routes.group(Path("/api"), middleware: [JSONConvention(JSONCoder(keys: .snakeCase))]) { routes in … }
///
/// It applies to the bodies that these routes decode, and to the responses of everything inside it.
public struct JSONConvention: Filter {
    let coder: SharedJSONCoder

    /// Creates the middleware for a coder.
    /// - Parameter coder: The coder that reads and writes their JSON.
    public init(_ coder: JSONCoder) { self.coder = SharedJSONCoder(coder) }

    /// Gives the request the coder.
    public func before(_ request: inout Request) -> Response? {
        request[SharedJSONCoder.Key.self] = coder
        return nil
    }
}
