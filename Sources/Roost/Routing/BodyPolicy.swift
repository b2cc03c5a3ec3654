/// The way in which a route gets the body of its requests: in memory, or as a stream.
public enum BodyPolicy: Sendable {
    /// It is read into memory before the function is called. It may be as large as the server's
    /// ``ServerConfiguration/maximumBodySize``, and a submitted form as large as its
    /// ``ServerConfiguration/maximumFormSize``; a larger one gets 413.
    case collected
    /// The same with the route's own limit in bytes, which also applies to forms.
    case collectedUpTo(Int)
    /// The function reads the body as a stream, and decides itself how much of it.
    case streamed

    func limit(default maximum: BodyLimit) -> BodyLimit? {
        switch self {
        case .collected: maximum
        case .collectedUpTo(let limit): BodyLimit(body: limit, form: limit)
        case .streamed: nil
        }
    }
}
