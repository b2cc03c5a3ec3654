extension LogText {
    /// What every log calls a request: where it comes from, its method, and its target: `192.0.2.7 GET /users`.
    static func name(of request: Request) -> String {
        let target = String(decoding: request.loggedTarget(), as: UTF8.self)
        return escaped("\(request.peer.host) \(request.method) \(target)")
    }
}

extension Request {
    /// The bytes of the target as a log shows it, valid as long as the request: without the query, which may hold
    /// secrets.
    /// - Parameter hasQuery: Whether to show the query anyway.
    func loggedTarget(hasQuery: Bool = false) -> UnsafeBufferPointer<UInt8> {
        let target = bytes.slice(head.target)
        guard !hasQuery, let end = target.firstIndex(of: UInt8(ascii: "?")) else { return target }
        return UnsafeBufferPointer(rebasing: target[..<end])
    }
}
