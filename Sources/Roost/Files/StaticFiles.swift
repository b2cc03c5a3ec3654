import HTTPTypes

/// Serves the files of a folder to `GET` and `HEAD` where no route matches: `routes.fallback(StaticFiles("public"))`.
///
/// Files have a strong `ETag` and `Last-Modified`; conditional requests and ranges of bytes get what RFC 9110 §13 and
/// §14 say. If a client takes Brotli or gzip, and there is a file `style.css.br` or `style.css.gz` that is not older
/// than `style.css`, that is sent instead.
///
/// A path never leads out of the folder: no link is followed, and names that begin with a dot are unknown.
public struct StaticFiles: Responder {
    private let folder: FileFolder
    /// The beginning of the paths that are served, with a slash at both ends.
    private let prefix: String
    private let index: String?
    private let cacheControl: String

    /// Keeps a folder open for the life of the application.
    /// - Parameters:
    ///   - path: The folder.
    ///   - prefix: Where its files begin: `/docs` serves the folder's `a.html` as `/docs/a.html`. A group does not
    ///     remove its own prefix: `routes.group(Path("/docs")) { try $0.fallback(StaticFiles("Manual", at: "/docs")) }`
    ///   - index: The file to send for a folder, such as `index.html`; nil for none. A path without the slash at its
    ///     end is then redirected to the one with it.
    ///   - cacheControl: The value of `Cache-Control`; by default a browser keeps a file, and asks whether it is still
    ///     the same.
    /// - Throws: ``StartError`` when the folder cannot be read.
    public init(
        _ path: String, at prefix: String = "/", index: String? = nil, cacheControl: String = "no-cache"
    ) throws {
        try self.init(path, at: prefix, index: index, cacheControl: cacheControl, budget: .process)
    }

    /// - Parameter budget: What the files that are being sent count against.
    init(
        _ path: String, at prefix: String = "/", index: String? = nil, cacheControl: String = "no-cache",
        budget: FileBudget
    ) throws {
        folder = try FileFolder(path, budget)
        self.prefix = "/" + prefix.utf8.split(separator: UInt8(ascii: "/")).map { "\(Substring($0))/" }.joined()
        self.index = index
        self.cacheControl = cacheControl
    }

    /// The file at the request's path.
    /// - Throws: ``HTTPError`` with 404 when there is none, 405 for another method, 412 and 416 as RFC 9110 says, 503
    ///   with `Retry-After` when no file descriptor is left for it. A file of more than 64 KiB keeps one until its
    ///   client has taken it, and all such files together have a share of the descriptors that the process may open.
    public func respond(to request: Request) async throws -> Response { try response(to: request) }

    /// The file at the request's path, without waiting: opening it, and having the kernel send it, is not worth a task.
    public func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
        .ready(try response(to: request))
    }

    private func response(to request: Request) throws -> Response {
        let path = request.path
        guard path.utf8.starts(with: prefix.utf8) else { throw HTTPError(.notFound) }
        let found = try find(String(Substring(path.utf8.dropFirst(prefix.utf8.count))))
        guard let found else { throw HTTPError(.notFound) }
        guard request.method == .get || request.method == .head else {
            throw HTTPError(.methodNotAllowed, headers: [.allow: "GET, HEAD"])
        }
        switch found {
        case .file(let file, let name): return try best(file, name, for: request).response(to: request)
        case .folder(let name): return .redirect(to: Self.withSlash(name, request), status: .movedPermanently)
        }
    }

    /// What a path leads to.
    private enum Found {
        case file(OpenFile, name: String)
        /// A folder with an index, without a slash at the end of its name.
        case folder(name: String)
    }

    private func find(_ name: String) throws -> Found? {
        if let index, name.isEmpty || name.utf8.last == UInt8(ascii: "/") {
            return try folder.file(at: name + index).map { .file($0, name: index) }
        }
        switch try folder.entry(at: name) {
        case nil: return nil
        case .file(let file): return .file(file, name: name)
        case .folder:
            guard let index, try folder.file(at: "\(name)/\(index)") != nil else { return nil }
            return .folder(
                name: String(Substring(name.utf8.split(separator: UInt8(ascii: "/")).last ?? name.utf8[...])))
        }
    }

    /// A reference to the same folder with a slash at the end, relative to the request's own path.
    private static func withSlash(_ name: String, _ request: Request) -> String {
        let query = request.queryString.map { "?\($0)" } ?? ""
        return "./\(PercentEncoding.encoded(name))/\(query)"
    }

    /// The file, or a compressed copy of it that the client takes and that is not older.
    private func best(_ file: OpenFile, _ name: String, for request: Request) throws -> FileResponse {
        var response = FileResponse(file: file, contentType: FileTypes.type(of: name), cacheControl: cacheControl)
        guard FileTypes.isCompressible(response.contentType) else { return response }
        response.varies = true
        for coding in request.acceptedCodings {
            guard let copy = try folder.file(at: "\(name).\(coding.suffix)"), !copy.isOlder(than: file) else {
                continue
            }
            (response.file, response.coding) = (copy, coding)
            break
        }
        return response
    }
}

extension ContentCoding {
    /// The suffix of files in this coding.
    fileprivate var suffix: StaticString {
        switch self {
        case .brotli: "br"
        case .gzip: "gz"
        }
    }
}
