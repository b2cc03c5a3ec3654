/// The way in which a route gets the body of its requests: in memory, or as a stream.
public enum BodyPolicy: Sendable {
    /// Reads the body into memory before the function is called: at most ``ServerConfiguration/maximumBodySize``, or
    /// ``ServerConfiguration/maximumFormSize`` for a submitted form without files. A larger one gets 413.
    case collected
    /// Reads the body, even a form, into memory, up to this limit in bytes. A larger body gets 413, and so does one of
    /// more than half of ``ServerConfiguration/maximumBufferedSize``; a warning at start tells of a limit beyond that.
    case collectedUpTo(Int)
    /// Passes the body to the function as a stream, to read as much of it as it likes. On such a route,
    /// `request.form()` and `request.decode` without limits throw an error unless the body is empty, even if all of it
    /// has already arrived; `handleForm` without limits reads as much as with ``collected``.
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
