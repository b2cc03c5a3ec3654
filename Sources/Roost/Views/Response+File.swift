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
        let type = contentType ?? headers[.contentType] ?? FileTypes.type(of: path)
        let response = FileResponse(file: file, contentType: type)
        let content = FileContent(response: response, isConditional: status == .ok)
        return Response(status, headers, deferred: .value(content))
    }

    /// A file below a folder, whose name may come from a client: a path below the folder never leads out of it, and
    /// names that begin with a dot are unknown, as with ``StaticFiles``.
    ///
    ///     routes.get(Path("/manual/{rest}", RemainingPath.self)) { _, rest in
    ///         try Response.file(rest.pathSegment, in: "Manual")
    ///     }
    ///
    /// Conditional requests, ranges of bytes and compressed copies (`.br`, `.gz`) are served. If the path has a slash,
    /// a request with an encoded one (`%2F`) gets 404, as with ``StaticFiles``.
    /// - Parameters:
    ///   - path: The file, below the folder; percent-decoded.
    ///   - folder: The folder, relative to the working directory unless it begins with a slash.
    ///   - contentType: The media type; by default, the one for the path's suffix.
    ///   - headers: Fields to set besides, such as `Cache-Control`.
    /// - Throws: ``HTTPError`` with 404 when there is no such file, 503 with `Retry-After` when no file descriptor is
    ///   left for it; ``StartError`` when the folder cannot be read.
    public static func file(
        _ path: String, in folder: String, contentType: String? = nil, headers: Headers = [:]
    ) throws -> Response {
        let folder = try FileFolder(folder, .process)
        guard let file = try folder.file(at: path) else { throw HTTPError(.notFound) }
        let type = contentType ?? headers[.contentType]
        let content = FolderContent(folder: folder, file: file, path: path, contentType: type)
        return Response(.ok, headers, deferred: .value(content))
    }
}

/// A file in a folder that may have compressed copies of it.
private struct FolderContent: ResponseConvertible {
    let folder: FileFolder
    let file: OpenFile
    let path: String
    let contentType: String?

    func response(for request: Request, in context: ResponseContext) throws -> Response {
        // `a%2Fb` would lead into the folder `a` around the middleware of its routes.
        let leadsIntoFolder = path.utf8.contains(UInt8(ascii: "/"))
        guard !leadsIntoFolder || !request.hasEncodedSlash else { throw HTTPError(.notFound) }
        var response = try folder.best(file, path, nil, for: request).response(to: request)
        if let contentType, response.headers.contains(.contentType) { response.headers[.contentType] = contentType }
        return response
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
