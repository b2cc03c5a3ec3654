/// The limits of a request's head: the sizes of its parts, in bytes, and the number of its fields.
struct HeadLimits: Sendable, Equatable {
    /// The maximum size of the request line, without its CRLF; a longer one gets 414.
    var requestLine = 8 * 1024
    /// The maximum size of all field lines together; more get 431.
    var fields = 32 * 1024
    /// The maximum number of field lines; more get 431.
    var fieldCount = 100

    /// The maximum size of the whole head; one with more bytes is never complete.
    var head: Int { requestLine + 2 + fields + 2 }
}
