/// The largest body to read before a route's function is called, in bytes.
struct BodyLimit: Sendable {
    /// Of any kind.
    let body: Int
    /// Of a submitted form, which a person has typed.
    let form: Int

    /// The limit for the body of a request.
    func bytes(for request: Request) -> Int { request.isForm ? min(form, body) : body }

    /// Whether a body in memory is small enough. What it is needs no look when it is small enough for all.
    @inline(__always)
    func allows(_ count: Int, of request: Request) -> Bool {
        count <= min(form, body) || count <= bytes(for: request)
    }
}
