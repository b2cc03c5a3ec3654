/// How large the parts of a request's head may be, in bytes.
struct HeadLimits: Sendable, Equatable {
    /// The request line without its CRLF; a longer one gets 414.
    var requestLine = 8 * 1024
    /// All field lines together; more get 431.
    var fields = 32 * 1024
    /// How many field lines there may be; more get 431.
    var fieldCount = 100

    /// A head with more bytes is never complete.
    var head: Int { requestLine + 2 + fields + 2 }
}
