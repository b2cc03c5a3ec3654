import HTTPTypes

// Conditional requests (RFC 9110 §13).

extension Request {
    /// Whether `If-Match` allows a resource in this state to be changed: when the request does not have the field, when
    /// it is `*`, and when it names the tag. Weak tags match nothing (RFC 9110 §13.1.1); neither does a malformed
    /// field.
    ///
    ///     guard request.ifMatch(user.tag) else { throw HTTPError(.preconditionFailed) }
    public func ifMatch(_ tag: EntityTag) -> Bool {
        if !isConditional || isAsterisk(.ifMatch) { return true }
        return contains(.ifMatch) { !$0.isWeak && !tag.isWeak && $0.hasValue(tag.value) }
    }

    /// Whether the client has this state already, as its `If-None-Match` says, so that 304 Not Modified is enough. Tags
    /// match whether weak or not, and `*` matches any; a malformed field matches nothing (RFC 9110 §13.1.2).
    ///
    ///     if request.isFresh(user.tag) { return Response(.notModified) }
    public func isFresh(_ tag: EntityTag) -> Bool {
        isAsterisk(.ifNoneMatch) || contains(.ifNoneMatch) { $0.hasValue(tag.value) }
    }

    /// Whether the request has an `If-Match` field.
    public var isConditional: Bool { headers.contains(.ifMatch) }

    /// Whether a field asks for any tag.
    private func isAsterisk(_ name: HTTPField.Name) -> Bool { receivedFields.only(name)?.isEqual(to: "*") ?? false }

    /// Whether a field, which may have several lines, has a tag that meets a condition; a malformed one has none.
    private func contains(_ name: HTTPField.Name, where isWanted: (EntityTagList.Tag) -> Bool) -> Bool {
        let fields = receivedFields
        var isFound = false
        var isMalformed = false
        fields.forEach(name) { line in
            guard let found = EntityTagList.contains(fields.bytes.slice(line), where: isWanted) else {
                return isMalformed = true
            }
            isFound = isFound || found
        }
        return isFound && !isMalformed
    }
}
