public import HTTPTypes

extension Response {
    /// A file on the server as the response; the kernel copies it to the client.
    ///
    ///     return try .file("reports/\(report.id).pdf")
    ///
    /// The program chooses the path: never build it from what a client sends. For files that clients may request by
    /// name, use ``StaticFiles``. The response has an `ETag`, your own if you set one, and `Last-Modified`, so that
    /// conditional requests and byte ranges work as RFC 9110 §13 and §14 define them, and `Cache-Control: no-cache`, so
    /// that a browser asks each time whether the file has changed. None of this applies to a status other than 200.
    /// - Parameters:
    ///   - path: The file, relative to the working directory unless it begins with a slash. Links are followed.
    ///   - contentType: The media type; by default, the one for the path's suffix.
    ///   - headers: Fields to set besides, such as another `Cache-Control`.
    /// - Throws: ``HTTPError`` with 404 when there is no regular file, 503 with `Retry-After` when no file descriptor
    ///   is left for it.
    public static func file(
        _ path: String, contentType: String? = nil, status: HTTPResponse.Status = .ok, headers: Headers = [:]
    ) throws -> Response {
        guard let file = try FileFolder.file(chosenAt: path) else { throw HTTPError(.notFound) }
        let type = contentType ?? headers[.contentType] ?? FileTypes.type(of: path)
        let response = FileResponse(file: file, contentType: type)
        let isConditional = status == .ok
        return Response(
            status, headers,
            deferred: .file { request, own in
                isConditional ? try response.response(to: request, with: own) : response.whole
            })
    }

    /// A file below a folder, whose name may come from a client: no path leads out of the folder, and names that begin
    /// with a dot get 404, as with ``StaticFiles``.
    ///
    ///     routes.get(Path("/manual/{rest}", RemainingPath.self)) { _, rest in
    ///         try Response.file(rest.pathSegment, in: "Manual")
    ///     }
    ///
    /// Conditional requests, ranges of bytes and compressed copies (`.br`, `.gz`) are served, with
    /// `Cache-Control: no-cache`. If the path has a slash, a request with an encoded one (`%2F`) gets 404, as with
    /// ``StaticFiles``.
    /// - Parameters:
    ///   - path: The file, below the folder; percent-decoded.
    ///   - folder: The folder, relative to the working directory unless it begins with a slash.
    ///   - contentType: The media type; by default, the one for the path's suffix.
    ///   - headers: Fields to set besides, such as another `Cache-Control`.
    /// - Throws: ``HTTPError`` with 404 when there is no such file, 503 with `Retry-After` when no file descriptor is
    ///   left for it; ``StartError`` when the folder cannot be read.
    public static func file(
        _ path: String, in folder: String, contentType: String? = nil, headers: Headers = [:]
    ) throws -> Response {
        let folder = try FileFolder(folder, .process)
        guard let file = try folder.file(at: path) else { throw HTTPError(.notFound) }
        let type = contentType ?? headers[.contentType] ?? FileTypes.type(of: path)
        let plain = FileResponse(file: file, contentType: type)
        // `a%2Fb` would lead into the folder `a` around the middleware of its routes.
        let leadsIntoFolder = path.utf8.contains(UInt8(ascii: "/"))
        let content = DeferredContent.Source.file { request, own in
            guard !leadsIntoFolder || !request.hasEncodedSlash else { throw HTTPError(.notFound) }
            return try folder.best(plain, path, for: request).response(to: request, with: own)
        }
        return Response(.ok, headers, deferred: content)
    }
}
