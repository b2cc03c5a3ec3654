import HTTPTypes

// Conditional requests (RFC 9110 §13).

extension Request {
    /// Whether `If-Match` allows a resource in this state to be changed: when the request does not have the field, when
    /// it is `*`, and when it names the tag. Weak tags match nothing (RFC 9110 §13.1.1); neither does a malformed
    /// field. But to a client that takes gzip, ``Compression`` or a proxy may have sent a strong tag as a weak one: it
    /// names the same state, and that client may send it back with its change.
    ///
    ///     guard request.ifMatch(user.tag) else { throw HTTPError(.preconditionFailed) }
    public func ifMatch(_ tag: EntityTag) -> Bool {
        if !isConditional || isAsterisk(.ifMatch) { return true }
        let takesWeakened = knownMethod != .get && knownMethod != .head && accepts(.gzip)
        return contains(.ifMatch) { (!$0.isWeak || takesWeakened) && !tag.isWeak && $0.hasValue(tag.value) }
    }

    /// Whether the client has this state already, as its `If-None-Match` says, so that 304 Not Modified is enough. Tags
    /// match whether weak or not, and `*` matches any; a malformed field matches nothing (RFC 9110 §13.1.2).
    ///
    ///     if request.isFresh(user.tag) { return Response(.notModified, headers: [.eTag: user.tag.description]) }
    public func isFresh(_ tag: EntityTag) -> Bool {
        isAsterisk(.ifNoneMatch) || contains(.ifNoneMatch) { $0.hasValue(tag.value) }
    }

    /// Whether the client has this state as a weak tag, as its `If-None-Match` says.
    func hasWeak(_ tag: EntityTag) -> Bool {
        contains(.ifNoneMatch) { $0.isWeak && $0.hasValue(tag.value) }
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

extension Request {
    /// The result of evaluating a conditional request's fields against the state of a resource.
    package enum Precondition {
        /// Go on.
        case holds
        /// 304 Not Modified: the client has this state.
        case notModified
        /// 412 Precondition Failed: the client wants to act on another state.
        case failed
    }

    /// Evaluates the preconditions in their order (RFC 9110 §13.2.2). A date that is malformed is ignored. "Not
    /// modified" is a response to `GET` and `HEAD` alone: any other method that must not act on the current state fails
    /// (§13.1.2), and `If-Modified-Since` means nothing to it (§13.1.3).
    /// - Parameter now: The present time in seconds since 1970.
    package func precondition(_ current: Validators, now: Int) -> Precondition {
        if isConditional {
            guard ifMatch(current.tag) else { return .failed }
        } else if let second = second(.ifUnmodifiedSince, now), current.modified > second {
            return .failed
        }
        let reads = knownMethod == .get || knownMethod == .head
        if headers.contains(.ifNoneMatch) {
            if isFresh(current.tag) { return reads ? .notModified : .failed }
        } else if reads, let second = second(.ifModifiedSince, now), current.modified <= second {
            return .notModified
        }
        return .holds
    }

    /// The range that the request asks for; nil when the whole is to be sent. `Range` has a meaning for `GET` only, and
    /// only if `If-Range`, when there is one, names the current state (RFC 9110 §13.1.5, §14.2).
    func range(of current: Validators, size: Int, now: Int) -> RequestedRange? {
        guard method == .get, let value = receivedFields.only(.range), isRangeCurrent(current, now) else { return nil }
        return RequestedRange(value, size: size)
    }

    /// A tag must be strong. A date must be the very time of the last change, and that must be over for a second, or
    /// there could have been two changes in it.
    private func isRangeCurrent(_ current: Validators, _ now: Int) -> Bool {
        guard headers.contains(.ifRange) else { return true }
        guard let value = receivedFields.only(.ifRange) else { return false }
        if let second = HTTPDate.second(of: value, now: now) {
            return second == current.modified && current.modified < now
        }
        let tags = EntityTagList.contains(value) { !$0.isWeak && $0.hasValue(current.tag.value) }
        return tags == true && !current.tag.isWeak
    }

    private func second(_ name: HTTPField.Name, _ now: Int) -> Int? {
        receivedFields.only(name).flatMap { HTTPDate.second(of: $0, now: now) }
    }
}

/// The validators of a resource's state (RFC 9110 §8.8): a tag, and the time of its last change.
package struct Validators {
    let tag: EntityTag
    /// The time of the last change, in seconds since 1970.
    let modified: Int

    package init(tag: EntityTag, modified: Int) {
        self.tag = tag
        self.modified = modified
    }
}
