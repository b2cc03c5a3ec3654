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
    func response(to request: Request) -> Response {
        var response = request.isFresh(tag) ? Response(.notModified) : Response(.ok, type, Body(bytes))
        response.headers[.eTag] = tag.description
        response.headers[.cacheControl] = "no-cache"
        return response
    }
}
