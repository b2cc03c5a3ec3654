import Glibc
public import HTTPTypes

extension Response {
    /// A file of the server's, which the kernel copies to the client.
    ///
    ///     return try .file("reports/\(report.id).pdf")
    ///
    /// The path is the program's own: what a client sends must not become one. For a folder whose files clients may
    /// ask for use ``StaticFiles``.
    /// - Parameters:
    ///   - path: The file, from the working directory if it does not begin with a slash. Links are followed.
    ///   - contentType: The media type; by default that of the path's suffix.
    /// - Throws: ``HTTPError`` with 404 when there is no regular file, 503 with `Retry-After` when no file descriptor
    ///   is left for it.
    public static func file(
        _ path: String, contentType: String? = nil, status: HTTPResponse.Status = .ok, headers: Headers = [:]
    ) throws -> Response {
        let descriptor = path.utf8.contains(0) ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, let error = StaticFiles.failure(errno) { throw error }
        guard let file = try StaticFiles.openFile(descriptor, in: .process) else { throw HTTPError(.notFound) }
        var response = Response(status, headers: headers, body: Body(file: file))
        response.headers[.contentType] = contentType ?? StaticFiles.contentType(of: path)
        return response
    }
}
