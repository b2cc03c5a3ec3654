extension LogText {
    /// What every log calls a request: where it comes from, its method, and its target without the query, which may
    /// hold secrets: `192.0.2.7 GET /users`.
    /// - Parameter hasQuery: Whether to show the query anyway.
    static func name(of request: Request, hasQuery: Bool = false) -> String {
        let target = request.target.utf8
        let shown = hasQuery ? target[...] : target.prefix { $0 != UInt8(ascii: "?") }
        return escaped("\(request.clientHost) \(request.method) \(Substring(shown))")
    }
}
