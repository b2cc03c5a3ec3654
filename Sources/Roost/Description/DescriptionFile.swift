import HTTPTypes

/// A part of an API's description as clients get it, with a tag by which they ask whether it is still the same.
struct DescriptionFile: Sendable {
    private let bytes: [UInt8]
    private let type: String
    private let tag: EntityTag

    init(_ bytes: [UInt8], _ type: String) {
        (self.bytes, self.type) = (bytes, type)
        tag = EntityTag(Fingerprint(of: bytes).text)
    }

    /// The whole, or 304 for a client that has it already.
    /// - Throws: ``HTTPError`` with 412 when the client has asked for another state (RFC 9110 §13.1.1).
    func response(to request: Request) throws -> Response {
        guard request.ifMatch(tag) else { throw HTTPError(.preconditionFailed, "The file has changed.") }
        let isFresh = request.isFresh(tag)
        if isFresh { request.notes.file = .init(type: type, size: bytes.count, isCoded: false) }
        var response = isFresh ? Response(.notModified) : Response(.ok, type, Body(bytes))
        response.headers[.eTag] = tag.description
        response.headers[.cacheControl] = "no-cache"
        return response
    }
}
