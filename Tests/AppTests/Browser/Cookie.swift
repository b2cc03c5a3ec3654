extension Browser {
    /// A cookie as the browser keeps it, also one that scripts cannot see.
    struct Cookie: Sendable, Hashable {
        var name: String
        var value: String
        var path = "/"
        var isHTTPOnly = false
        var isSecure = false
        /// `Strict`, `Lax` or `None`; what the browser takes for it when the server was silent.
        var sameSite: String?
    }
}
