extension Browser {
    /// A cookie as the browser keeps it, even if scripts cannot see it.
    struct Cookie: Sendable, Hashable {
        var name: String
        var value: String
        var path = "/"
        var isHTTPOnly = false
        var isSecure = false
        /// `Strict`, `Lax` or `None`; the browser's default if the server did not say.
        var sameSite: String?
    }
}
