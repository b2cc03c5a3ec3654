import HTTPTypes

/// Middleware that compresses responses with gzip for clients that accept it (RFC 9110 §8.4.1.3, §12.5.3).
///
///     try Application(middleware: [Compression()] + Application.standardMiddleware()) { routes in … }
///
/// Text, JSON and the like are compressed if they have at least a kibibyte; a stream is compressed as it is made, and
/// each of its pieces is sent at once. `Vary` then names `Accept-Encoding`, and an entity tag becomes weak, because the
/// bytes are others than those that it stands for (RFC 9110 §8.8.1).
///
/// A file is compressed once and then kept in memory, unless its response is for one client: to a request with
/// `Authorization`, of a session, or with `Cache-Control: private`. Bodies of more than 32 KiB, and files that are kept
/// of more than 256 KiB, are compressed piece by piece, at most 16 at a time; others are sent as they are meanwhile. A
/// body in memory stays there until it has been sent, and counts in ``ServerConfiguration/maximumBufferedSize`` as if
/// it were sent as it is.
///
/// An attacker who can see the length of compressed responses that contain both a secret and a text of his choice can
/// guess the secret (BREACH). Therefore these are not compressed:
///
/// - responses to a visitor with a session, and those that set a cookie or say `no-store`, unless `includesSessions`;
/// - responses to other methods than `GET` and `HEAD`, which often show what was just sent;
/// - responses with `Cache-Control: no-transform` (RFC 9111 §5.2.2.6), by which a handler asks for that.
///
/// Event streams and WebSockets are not compressed here.
public struct Compression: Filter {
    private let minimumSize: Int
    private let level: Int
    private let includesSessions: Bool
    private let files = CompressedFiles(limit: 8 << 20)
    /// The limit on the bodies that are compressed piece by piece at the same time: each takes some 100 KiB of memory,
    /// and about a millisecond of a loop's time in each of its turns.
    private let places = Places(16)

    /// The largest body that is compressed at once, without giving others their turn.
    private static let largest = GzipStream.pieceSize

    /// Creates the middleware.
    /// - Parameters:
    ///   - minimumSize: The smallest body that is compressed, in bytes.
    ///   - level: From 1, the fastest, to 9, the smallest.
    ///   - includesSessions: Whether responses of sessions are compressed too: only for pages that hold no secret, or
    ///     show nothing that a link to them can set.
    public init(minimumSize: Int = 1024, level: Int = 5, includesSessions: Bool = false) {
        self.minimumSize = minimumSize
        self.level = level
        self.includesSessions = includesSessions
    }

    /// Compresses the response if it may be.
    public func after(_ response: inout Response, to request: Request) throws {
        if response.status == .notModified { return adapt(notModified: &response, request) }
        switch response.body.storage {
        case .empty, .live, .upgrade, .deferred: return
        default: break
        }
        let (type, size) = (response.headers[.contentType], response.body.count)
        guard response.status != .partialContent, isCandidate(response, request, type, size) else { return }
        response.headers.addToVary(.acceptEncoding)
        guard request.accepts(.gzip), let body = try compressed(response, request) else { return }
        if case .file(let part) = response.body.storage, let type {
            request.notes.file = .init(type: type, size: part.file.size, isCoded: false)
        }
        response.body = body
        response.headers[.contentEncoding] = "gzip"
        response.headers[.acceptRanges] = nil
        if let tag = response.headers[.eTag], !tag.hasPrefix("W/") { response.headers[.eTag] = "W/\(tag)" }
    }

    /// Whether a response with content of this type and size is compressed for clients that accept it.
    private func isCandidate(
        _ response: borrowing Response, _ request: Request, _ type: String?, _ size: Int?
    ) -> Bool {
        guard request.method == .get || request.method == .head, size ?? .max >= minimumSize, let type,
            FileTypes.isCompressible(type), !type.utf8.starts(with: "text/event-stream".utf8),
            !response.headers.contains(.contentEncoding)
        else { return false }
        let cacheControl = response.headers[.cacheControl] ?? ""
        return !cacheControl.lists("no-transform")
            && (includesSessions || !isOfSession(request, response, cacheControl))
    }

    private func isOfSession(_ request: Request, _ response: borrowing Response, _ cacheControl: String) -> Bool {
        cacheControl.lists("no-store") || response.headers.contains(.setCookie)
            || request[Visit.Key.self]?.known?.snapshot.token != nil
    }

    /// The body in compressed form; nil when too many are being compressed.
    private func compressed(_ response: Response, _ request: Request) throws -> Body? {
        let body = response.body
        var kept: (files: CompressedFiles, file: OpenFile)?
        if case .file(let part) = body.storage, isShared(response, request) {
            if let known = files.known(part.file) { return Body(known) }
            if part.file.size <= 256 * 1024 { return Body(try files.compressed(part.file, level: level)) }
            kept = (files, part.file)
        }
        guard let count = body.countInMemory, count <= Self.largest else {
            return places.take().map { Body(stream: GzipStream(body: body, level: level, place: $0, kept: kept)) }
        }
        let output = ByteBuffer()
        let gzip = try Gzip(size: count, level: level)
        try body.withBytes { gzip.write($0, followedBy: .end, to: output) }
        return Body(Array(output.written))
    }

    /// Whether others may get the same response, as in a shared cache (RFC 9111 §3).
    private func isShared(_ response: Response, _ request: Request) -> Bool {
        let cacheControl = response.headers[.cacheControl] ?? ""
        return !request.headers.contains(.authorization) && !cacheControl.lists("private")
            && !isOfSession(request, response, cacheControl)
    }

    /// A 304 has the tag that the whole response to the same request would have (RFC 9110 §15.4.5): otherwise a cache
    /// could take it for a word about the other representation, and hand that on. Of a file it is known whether that
    /// would be compressed; of what a handler has not made, only that a client which has the weak tag got it so.
    private func adapt(notModified response: inout Response, _ request: Request) {
        guard let tag = response.headers[.eTag], !tag.hasPrefix("W/") else { return }
        if let file = request.notes.file {
            guard !file.isCoded, isCandidate(response, request, file.type, file.size) else { return }
        } else {
            guard let strong = EntityTag(field: tag), request.hasWeak(strong) else { return }
        }
        response.headers.addToVary(.acceptEncoding)
        if request.accepts(.gzip) { response.headers[.eTag] = "W/\(tag)" }
    }
}
