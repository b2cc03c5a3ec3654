/// What a route does with the body of its requests.
public enum RouteBody: Sendable {
    /// It is in memory before the function is called, if it is no larger than the server's
    /// ``ServerConfiguration/maximumBodySize``.
    case collected
    /// The same with a limit of the route's own, in bytes.
    case collectedUpTo(Int)
    /// The function reads it as a stream, and decides itself how much.
    case streamed

    func limit(default maximum: Int) -> Int? {
        switch self {
        case .collected: maximum
        case .collectedUpTo(let limit): limit
        case .streamed: nil
        }
    }
}
