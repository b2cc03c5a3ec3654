import HTTPTypes

// Conditional requests (RFC 9110 §13).

extension Request {
    /// Whether `If-Match` lets a resource in this state be changed: it does when the request has none, when it is `*`,
    /// and when it names the tag. Weak tags match nothing (RFC 9110 §13.1.1); neither does a malformed field.
    ///
    ///     guard request.ifMatch(user.tag) else { throw HTTPError(.preconditionFailed) }
    public func ifMatch(_ tag: EntityTag) -> Bool {
        guard let field = headers[.ifMatch] else { return true }
        if field == "*" { return true }
        return !tag.isWeak && EntityTag.list(field)?.contains(tag) ?? false
    }

    /// Whether the client has another state than this one, so that it needs the whole answer; if not, 304 Not Modified
    /// is one. So it does when the request has no `If-None-Match`; tags match whether weak or not (RFC 9110 §13.1.2).
    public func ifNoneMatch(_ tag: EntityTag) -> Bool {
        guard let field = headers[.ifNoneMatch] else { return true }
        if field == "*" { return false }
        return !(EntityTag.list(field) ?? []).contains { $0.hasSameValue(as: tag) }
    }

    /// Whether the request has an `If-Match` field.
    public var isConditional: Bool { headers.contains(.ifMatch) }
}
