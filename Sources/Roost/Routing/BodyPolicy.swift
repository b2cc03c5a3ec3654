/// What a route does with the body of its requests.
public enum BodyPolicy: Sendable {
    /// It is in memory before the function is called, if it is no larger than the server's
    /// ``ServerConfiguration/maximumBodySize``, and for a submitted form than its
    /// ``ServerConfiguration/maximumFormSize``; else the answer is 413.
    case collected
    /// The same with a limit of the route's own, in bytes, for forms as well.
    case collectedUpTo(Int)
    /// The function reads it as a stream, and decides itself how much.
    case streamed

    func limit(default maximum: BodyLimit) -> BodyLimit? {
        switch self {
        case .collected: maximum
        case .collectedUpTo(let limit): BodyLimit(body: limit, form: limit)
        case .streamed: nil
        }
    }
}
