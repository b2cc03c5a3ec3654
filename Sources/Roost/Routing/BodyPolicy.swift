/// The way in which a route gets the body of its requests: in memory, or as a stream.
public enum BodyPolicy: Sendable {
    /// It is read into memory before the function is called. It may be as large as the server's
    /// ``ServerConfiguration/maximumBodySize``, and a submitted form as large as its
    /// ``ServerConfiguration/maximumFormSize``; a larger one gets 413.
    case collected
    /// It is read into memory up to the route's own limit in bytes, which also applies to forms.
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

/// The largest body that is read before a route's function is called, in bytes.
struct BodyLimit: Sendable {
    /// The limit for a body of any kind.
    let body: Int
    /// The limit for a form, which a person has typed.
    let form: Int

    /// The limit for the body of a request.
    func bytes(for request: Request) -> Int { request.isTypedForm ? min(form, body) : body }

    /// Whether a body in memory is small enough. Its kind is checked only if it is too large for a form.
    @inline(__always)
    func allows(_ count: Int, of request: Request) -> Bool {
        count <= min(form, body) || count <= bytes(for: request)
    }
}
