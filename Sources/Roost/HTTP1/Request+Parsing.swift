public import HTTPTypes

extension Request {
    /// A request that no client has sent, for tests of a handler or a middleware alone.
    ///
    ///     let request = try Request(.post, "/users?draft=1", headers: [.contentType: "application/json"], body: "{}")
    ///     let response = try await controller.create(request)
    ///
    /// It goes through the parser, as one from a client does; the route's parameters are the handler's own arguments.
    /// - Parameters:
    ///   - target: The path, percent-encoded, and the query if there is one.
    ///   - headers: The fields; without `Host` it is `localhost`.
    ///   - peer: The address that it comes from.
    /// - Throws: An error for what a server would refuse.
    public init(
        _ method: HTTPRequest.Method,
        _ target: String,
        headers: Headers = [:],
        body: Body = Body(),
        from peer: PeerAddress = .loopback
    ) throws {
        try self.init(method, target, headers: headers, body: body, from: peer, isEncrypted: false)
    }

    private init(
        _ method: HTTPRequest.Method, _ target: String, headers: Headers, body: Body = Body(), from peer: PeerAddress,
        isEncrypted: Bool, limits: HeadLimits = HeadLimits()
    ) throws {
        var headers = headers
        if headers["Host"] == nil { headers["Host"] = "localhost" }
        for part in [target] + headers.list.map(\.value) where part.utf8.contains(where: { [0x0D, 0x0A].contains($0) })
        {
            throw MalformedRequest(description: "A line break in a target or field value: \(LogText.escaped(part))")
        }
        var text = "\(method.rawValue) \(target) HTTP/1.1\r\n"
        for field in headers.list { text += "\(field.name.rawName): \(field.value)\r\n" }
        text += "\r\n"
        let bytes = text.withUTF8 { MessageBytes(copying: $0) }
        var parser = RequestParser(limits: limits)
        var end = 0
        do throws(ParseError) {
            guard let head = try parser.next(in: bytes, at: &end), end == bytes.count else {
                throw ParseError.malformedRequestLine
            }
            let notes = RequestNotes(isEncrypted: isEncrypted)
            self = head.request(in: bytes, body: body, from: peer, notes: notes)
        } catch {
            throw MalformedRequest(description: error.reason)
        }
    }
}

extension Request {
    /// A `GET` of another target by the same client, with the same fields. No middleware has seen it yet.
    /// - Throws: An error for a target that a server would refuse.
    func asking(for target: String) throws -> Request {
        // The server's own limits may be others, and the fields have passed them.
        let limits = HeadLimits(requestLine: 1 << 20, fields: 1 << 30, fieldCount: .max)
        var request = try Request(
            .get, target, headers: headers, from: peer, isEncrypted: notes.isEncrypted, limits: limits)
        request.takeForwarded(of: self)
        return request
    }
}

extension RequestHead {
    /// The request with this head, which is in `bytes`.
    /// - Parameter notes: Those of its connection.
    func request(
        in bytes: MessageBytes, body: consuming Body, from peer: PeerAddress = .local,
        notes: RequestNotes = RequestNotes()
    ) -> Request {
        guard hasDotSegments else { return Request(head: self, bytes: bytes, body: body, peer: peer, notes: notes) }
        let (head, bytes) = DotSegments.resolved(self, in: bytes)
        return Request(head: head, bytes: bytes, body: body, peer: peer, notes: notes)
    }
}

/// The error for a request that a server would refuse.
package struct MalformedRequest: Error, CustomStringConvertible {
    /// The error message: the reason why it is malformed.
    package let description: String
}
