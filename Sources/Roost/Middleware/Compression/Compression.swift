import HTTPTypes

/// Compresses responses with gzip for clients that accept it (RFC 9110 §8.4.1.3, §12.5.3).
///
///     try Application(middleware: [Compression()] + Application.standardMiddleware()) { routes in … }
///
/// Text, JSON and the like are compressed if they have at least a kibibyte; a stream is compressed as it is made, and
/// each of its pieces is sent at once. `Vary` then names `Accept-Encoding`, and an entity tag becomes weak, because the
/// bytes are others than those that it stands for (RFC 9110 §8.8.1). A file is compressed once and then kept in memory.
///
/// Who can see the length of compressed responses that contain both a secret and a text that he chooses, can guess the
/// secret (BREACH). Therefore these are not compressed:
///
/// - responses to a visitor with a session, and those that set a cookie or say `no-store`, unless `includesSessions`;
/// - responses to other methods than `GET` and `HEAD`, which often show what was just sent;
/// - responses with `Cache-Control: no-transform` (RFC 9111 §5.2.2.6), by which a handler asks for that.
///
/// Event streams and WebSockets are not compressed here.
public struct Compression: ImmediateMiddleware {
    private let minimumSize: Int
    private let level: Int
    private let includesSessions: Bool
    private let files = CompressedFiles(limit: 8 << 20)

    /// The largest body that is compressed at once, without giving others their turn.
    private static let largest = GzipStream.pieceSize

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
        guard isCandidate(response, request) else { return }
        response.headers.addAcceptEncodingToVary()
        guard request.accepts(.gzip) else { return }
        response.body = try compressed(response, request)
        response.headers[.contentEncoding] = "gzip"
        response.headers[.acceptRanges] = nil
        if let tag = response.headers[.eTag], !tag.hasPrefix("W/") { response.headers[.eTag] = "W/\(tag)" }
    }

    private func isCandidate(_ response: Response, _ request: Request) -> Bool {
        switch response.body.storage {
        case .empty, .live, .upgrade, .deferred: return false
        default: break
        }
        guard request.method == .get || request.method == .head, response.status != .partialContent,
            response.body.count ?? .max >= minimumSize,
            let type = response.headers[.contentType], FileTypes.isCompressible(type),
            !type.hasPrefix("text/event-stream"), !response.headers.contains(.contentEncoding)
        else { return false }
        let cacheControl = response.headers[.cacheControl] ?? ""
        return !cacheControl.lists("no-transform")
            && (includesSessions || !isOfSession(request, response, cacheControl))
    }

    private func isOfSession(_ request: Request, _ response: Response, _ cacheControl: String) -> Bool {
        cacheControl.lists("no-store") || response.headers.contains(.setCookie)
            || request[Visit.Key.self]?.known?.snapshot.token != nil
    }

    private func compressed(_ response: Response, _ request: Request) throws -> Body {
        let body = response.body
        if case .file(let part) = body.storage, let tag = response.headers[.eTag], part.range.count <= 256 * 1024 {
            return Body(try files.compressed(part, tag, of: request.path, level: level))
        }
        guard let count = body.countInMemory, count <= Self.largest else {
            return Body(stream: GzipStream(body: body, level: level))
        }
        let output = ByteBuffer()
        let gzip = try Gzip(size: count, level: level)
        try body.withBytes { gzip.write($0, followedBy: .end, to: output) }
        return Body(Array(output.written))
    }

    /// A client that has the compressed representation knows it by its weak tag (RFC 9110 §15.4.5).
    private func adapt(notModified response: inout Response, _ request: Request) {
        guard let tag = response.headers[.eTag], !tag.hasPrefix("W/"),
            request.headers[.ifNoneMatch]?.contains("W/\(tag)") ?? false
        else { return }
        response.headers[.eTag] = "W/\(tag)"
        response.headers.addAcceptEncodingToVary()
    }
}

extension Headers {
    /// Adds `Accept-Encoding` to `Vary`, unless it is there; in a line of its own, which means the same (RFC 9110 §5.3)
    /// and makes no new text.
    fileprivate mutating func addAcceptEncodingToVary() {
        if let vary = self[.vary], vary.lists("*") || vary.lists("accept-encoding") { return }
        append(.vary, "Accept-Encoding")
    }
}
