extension LogText {
    /// Returns a request's name in logs: its client's host, its method, and its target, as in `192.0.2.7 GET /users`.
    static func name(of request: Request) -> String {
        let (target, isCut) = request.loggedTarget()
        let text = String(decoding: target, as: UTF8.self) + (isCut ? cutMark : "")
        return escaped("\(request.clientHost) \(request.method) \(text)")
    }
}

extension Request {
    /// The maximum number of bytes of a target that a log shows: a client chooses what it sends, and must not fill a
    /// disk with it.
    private static let longestLoggedTarget = 512

    /// The bytes of the target as a log shows it, valid as long as the request: without the query, which may hold
    /// secrets, and of a long one only the beginning. A log shows `LogText.cutMark` behind one that is cut.
    /// - Parameter hasQuery: Whether to show the query anyway.
    func loggedTarget(hasQuery: Bool = false) -> (bytes: UnsafeBufferPointer<UInt8>, isCut: Bool) {
        let target = bytes.slice(head.target)
        let end = hasQuery ? nil : target.firstIndex(of: UInt8(ascii: "?"))
        let whole = UnsafeBufferPointer(rebasing: target[..<(end ?? target.count)])
        guard whole.count > Self.longestLoggedTarget else { return (whole, false) }
        // Not within a character of UTF-8.
        let cut = whole[...Self.longestLoggedTarget].lastIndex { $0 & 0xC0 != 0x80 } ?? Self.longestLoggedTarget
        return (UnsafeBufferPointer(rebasing: whole[..<cut]), true)
    }
}
