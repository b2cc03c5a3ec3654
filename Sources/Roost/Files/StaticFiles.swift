import HTTPTypes

/// The files of a folder, served to `GET` and `HEAD` where no route matches:
/// `try routes.fallback(StaticFiles("public"))`.
///
/// Files have a strong `ETag` and `Last-Modified`; conditional requests and byte ranges work as RFC 9110 §13 and §14
/// define them. If a client accepts Brotli or gzip, and there is a file `style.css.br` or `style.css.gz` that is not
/// older than `style.css`, that is sent instead.
///
/// A path never leads out of the folder: symbolic links are not followed, and names that begin with a dot get 404,
/// except for `.well-known` at the beginning of the path (RFC 8615).
///
/// Templates that are given the files (`Templates(directory: "Templates", assets: files)`) name them by
/// `{{asset("style.css")}}`. In production that is a name with a fingerprint of the content, such as
/// `/style-9b2c4f01d3e5a678.css`, which browsers keep without asking again. A path with the fingerprint of another
/// version gets the present file, with the usual `Cache-Control`.
public struct StaticFiles: Responder, AssetFolder {
    private let folder: FileFolder
    /// The beginning of the paths that are served, with a slash at both ends.
    private let prefix: String
    private let index: String?
    private let cacheControl: String
    /// The fingerprints; nil in development, where a file may change at any time.
    private let fingerprints: AssetFingerprints?
    /// Whether a 404 says why a file that is there cannot be sent.
    private let explains: Bool

    /// Opens a folder for the life of the application.
    /// - Parameters:
    ///   - path: The folder.
    ///   - prefix: The beginning of its files' paths: `/docs` serves the folder's `a.html` as `/docs/a.html`. A group
    ///     does not remove its own prefix:
    ///     `try routes.group(Path("/docs")) { try $0.fallback(StaticFiles("Manual", at: "/docs")) }`
    ///   - index: The file to send for a folder, such as `index.html`; nil for none. A path without the slash at its
    ///     end is then redirected to the one with it.
    ///   - cacheControl: The value of `Cache-Control`; by default a browser keeps a file, and asks whether it is still
    ///     the same.
    ///   - fingerprints: Whether ``asset(_:)`` adds a fingerprint; by default in production (``Environment``).
    /// - Throws: ``StartError`` when the folder cannot be read.
    public init(
        _ path: String, at prefix: String = "/", index: String? = nil, cacheControl: String = "no-cache",
        fingerprints: Bool? = nil
    ) throws {
        try self.init(
            path, at: prefix, index: index, cacheControl: cacheControl, fingerprints: fingerprints, budget: .process)
    }

    /// - Parameters:
    ///   - budget: The budget that the files being sent count against.
    ///   - explains: Whether a 404 says why a file that is there cannot be sent.
    init(
        _ path: String, at prefix: String = "/", index: String? = nil, cacheControl: String = "no-cache",
        fingerprints: Bool? = nil, budget: FileBudget, explains: Bool = Environment.current == .development
    ) throws {
        folder = try FileFolder(path, budget)
        self.prefix = "/" + prefix.utf8.split(separator: UInt8(ascii: "/")).map { "\(Substring($0))/" }.joined()
        self.index = index
        self.cacheControl = cacheControl
        self.explains = explains
        self.fingerprints = fingerprints ?? (Environment.current == .production) ? AssetFingerprints() : nil
    }

    /// Returns the path of a file in URLs, with its fingerprint if fingerprints are on.
    /// - Parameter name: The path below the folder: `style.css`.
    /// - Throws: ``StartError`` for a file that is not there, or that clients cannot have.
    public func asset(_ name: String) throws -> String {
        guard let file = try folder.file(at: name) else {
            let sentence = folder.obstacle(at: name).map { "The asset \(name) cannot be sent: \($0)." }
            throw StartError.configuration(sentence ?? "The asset \(name) is not in the folder of static files.")
        }
        let name = try fingerprints?.name(of: name, file) ?? name
        return prefix + PercentEncoding.encodedPath(name)
    }

    /// Returns the file at the request's path; to `OPTIONS`, its methods.
    /// - Throws: ``HTTPError`` with 404 when there is none, 405 for another method, 412 and 416 as RFC 9110 says, 503
    ///   with `Retry-After` when no file descriptor is left for it. A file of more than 64 KiB keeps one until its
    ///   client has taken it, and all such files together have a share of the descriptors that the process may open.
    public func respond(to request: Request) async throws -> Response { try response(to: request) }

    /// Returns the file at the request's path, without waiting: to open it and let the kernel send it is not worth a
    /// task.
    public func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
        .ready(try response(to: request))
    }

    private func response(to request: Request) throws -> Response {
        let path = request.path
        if path.utf8.elementsEqual(prefix.utf8.dropLast()), !path.isEmpty, !request.hasEncodedSlash,
            request.method == .get || request.method == .head, index != nil, try find("") != nil
        {
            return Self.redirect(path, request)
        }
        // No file's name has a slash; and `/admin%2Fa.html` is no path below `/admin`, whose group may have a guard.
        guard path.utf8.starts(with: prefix.utf8), !request.hasEncodedSlash else { throw HTTPError(.notFound) }
        var name = String(Substring(path.utf8.dropFirst(prefix.utf8.count)))
        var cacheControl = cacheControl
        var found = try find(name)
        if found == nil, let fingerprints, let parts = AssetFingerprints.parse(name) {
            name = parts.name
            let file = try folder.file(at: name)
            found = file.map { (.file($0), name) }
            if let file, fingerprints.contains(parts.fingerprint, of: name, file) {
                // `public` would let a cache that others share hand it on (RFC 9111 §3.5).
                cacheControl = (request.headers.contains(.authorization) ? "private" : "public") + Self.immutable
            }
        }
        guard let found else {
            throw HTTPError(.notFound, explains ? folder.obstacle(at: name).map { "\($0)." } : nil)
        }
        guard request.method == .get || request.method == .head else {
            return try request.responseToOtherMethod(allowed: Self.methods)
        }
        guard let file = found.entry.file else { return Self.redirect(found.name, request) }
        let type = FileTypes.type(of: found.name)
        let plain = FileResponse(file: file, contentType: type, cacheControl: cacheControl)
        return try folder.best(plain, found.name, for: request).response(to: request)
    }

    /// The methods of every file (RFC 9110 §9.3.7).
    private static let methods = "GET, HEAD, OPTIONS"

    /// The `Cache-Control` of a name that changes with the content (RFC 8246), after the caches that may keep it.
    private static let immutable = ", max-age=31536000, immutable"

    /// The file that a path leads to, or the folder with an index, and its path.
    private func find(_ name: String) throws -> (entry: OpenFile.Entry, name: String)? {
        if let index, name.isEmpty || name.utf8.last == UInt8(ascii: "/") {
            return try folder.file(at: name + index).map { (.file($0), name + index) }
        }
        guard let entry = try folder.entry(at: name) else { return nil }
        if entry.file == nil {
            guard let index, try folder.file(at: "\(name)/\(index)") != nil else { return nil }
        }
        return (entry, name)
    }

    /// Leads to the same folder with a slash at the end, by a reference that is relative to the request's own path.
    private static func redirect(_ folder: String, _ request: Request) -> Response {
        let name = Substring(folder.utf8.split(separator: UInt8(ascii: "/")).last ?? folder.utf8[...])
        let query = request.queryString.map { "?\($0)" } ?? ""
        return .redirect(to: "./\(PercentEncoding.encoded(String(name)))/\(query)", status: .movedPermanently)
    }
}
