import HTTPTypes

/// The state of a file's content, wherever that is kept: on the disk or in memory (RFC 9110 §13, §14).
struct FileState {
    let validators: Validators
    let size: Int
    let contentType: String
    /// The coding of the content, if it is a compressed copy.
    var coding: ContentCoding?
    /// Whether the content that is sent depends on `Accept-Encoding`.
    var varies = false
    let cacheControl: String

    /// The whole content, the range that the request asks for, or that the client has it already.
    /// - Parameters:
    ///   - now: The present time in seconds since 1970.
    ///   - body: Makes the body of a range; of the whole for nil.
    /// - Throws: ``HTTPError`` with 412 when the client has asked for another state, 416 for a range that is not there.
    func response(to request: Request, now: Int, _ body: (Range<Int>?) -> Body) throws -> Response {
        switch request.precondition(validators, now: now) {
        case .holds: break
        case .notModified:
            request.notes.file = .init(type: contentType, size: size, isCoded: coding != nil)
            return Response(.notModified, headers: headers)
        case .failed: throw HTTPError(.preconditionFailed, "The file has changed.")
        }
        var response = Response(.ok, headers: headers)
        response.headers.append(.contentType, contentType)
        if let coding { response.headers.append(.contentEncoding, "\(coding.name)") }
        response.headers.append(.acceptRanges, "bytes")
        switch request.range(of: validators, size: size, now: now) {
        case nil: response.body = body(nil)
        case .bytes(let range):
            response.status = .partialContent
            response.headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
            response.body = body(range)
        case .unsatisfiable:
            throw HTTPError(
                .rangeNotSatisfiable, Sentence("The file has {size} bytes.", ["size": size]),
                headers: [.contentRange: "bytes */\(size)", .acceptRanges: "bytes"]
            )
        }
        return response
    }

    /// The fields that a 304 has, too (RFC 9110 §15.4.5).
    private var headers: Headers {
        var headers = Headers(.eTag, validators.tag.description)
        headers.append(.lastModified, HTTPDate.string(validators.modified))
        headers.append(.cacheControl, cacheControl)
        if varies { headers.append(.vary, "Accept-Encoding") }
        return headers
    }
}
