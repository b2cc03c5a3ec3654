/// The largest body that is read before a route's function is called, in bytes.
struct BodyLimit: Sendable {
    /// For a body of any kind.
    let body: Int
    /// For a submitted form, which a person has typed.
    let form: Int

    /// The limit for the body of a request.
    func bytes(for request: Request) -> Int { request.isTypedForm ? min(form, body) : body }

    /// Whether a body in memory is small enough. Its kind is checked only if it is too large for a form.
    @inline(__always)
    func allows(_ count: Int, of request: Request) -> Bool {
        count <= min(form, body) || count <= bytes(for: request)
    }
}
