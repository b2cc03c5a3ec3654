public import HTTPTypes

extension Response {
    /// A file on the server as the response; the kernel copies it to the client.
    ///
    ///     return try .file("reports/\(report.id).pdf")
    ///
    /// The program chooses the path: never build it from what a client sends. For files that clients may ask for by
    /// name, use ``StaticFiles``. It has an `ETag` and `Last-Modified`, so that conditional requests and ranges of
    /// bytes get what RFC 9110 §13 and §14 say, unless it has another status than 200.
    /// - Parameters:
    ///   - path: The file, relative to the working directory unless it begins with a slash. Links are followed.
    ///   - contentType: The media type; by default, the one for the path's suffix.
    /// - Throws: ``HTTPError`` with 404 when there is no regular file, 503 with `Retry-After` when no file descriptor
    ///   is left for it.
    public static func file(
        _ path: String, contentType: String? = nil, status: HTTPResponse.Status = .ok, headers: Headers = [:]
    ) throws -> Response {
        guard let file = try FileFolder.file(chosenAt: path) else { throw HTTPError(.notFound) }
        let response = FileResponse(file: file, contentType: contentType ?? FileTypes.type(of: path))
        return Response(status, headers, deferred: FileContent(response: response, isConditional: status == .ok))
    }
}

/// A file whose response depends on the request.
private struct FileContent: ResponseConvertible {
    let response: FileResponse
    let isConditional: Bool

    func response(for request: Request, in context: ResponseContext) throws -> Response {
        isConditional ? try response.response(to: request) : response.whole
    }
}
