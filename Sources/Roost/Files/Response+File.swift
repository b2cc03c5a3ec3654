import Glibc
public import HTTPTypes

extension Response {
    /// A file on the server as the response; the kernel copies it to the client.
    ///
    ///     return try .file("reports/\(report.id).pdf")
    ///
    /// The program chooses the path: never build it from what a client sends. To serve a folder whose files clients may
    /// ask for, use ``StaticFiles``.
    /// - Parameters:
    ///   - path: The file, relative to the working directory unless it begins with a slash. Links are followed.
    ///   - contentType: The media type; by default, the one for the path's suffix.
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
