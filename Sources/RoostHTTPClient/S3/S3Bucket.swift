import FoundationEssentials
import Glibc
import HTTPTypes
public import Roost

/// A bucket of Amazon S3, or of a service that speaks its protocol, such as MinIO.
///
///     let bucket = S3Bucket(try S3Location("s3://nests/pictures"))
///     try await bucket.put("oak/1.png", request.body, contentType: "image/png")
///     let url = try bucket.signedURL(.get, "oak/1.png", expiresIn: .seconds(300))
///
/// A key is any text of up to 1,024 bytes that has no segment `.` or `..`. Bodies are streamed in both directions: of
/// an upload, one part at a time is in memory.
public struct S3Bucket: Sendable {
    /// The place of the bucket.
    package let location: S3Location
    private let http: HTTPClient
    /// The present time in seconds since 1970.
    var now: @Sendable () -> Int = { time(nil) }
    /// The size of a part of a large upload; S3 wants at least 5 MiB, and at most 10,000 parts.
    static let partSize = 8 << 20

    /// A bucket at a place.
    /// - Parameter http: The client for its requests; by default, one with three tries for each, a timeout of two
    ///   minutes, and no limit on connections.
    public init(_ location: S3Location, http: HTTPClient? = nil) {
        self.location = location
        // An object that is being read has a connection to itself: with a limit, slow readers would keep others out.
        self.http = http ?? HTTPClient(connectionsPerHost: 0, timeout: .seconds(120), retries: Self.retries)
    }

    /// The retries of requests to S3, which wants to be asked again after 500. `POST` begins and completes an upload,
    /// which may be done twice.
    static let retries = RetryPolicy(
        tries: 3, methods: [.get, .head, .put, .delete, .post],
        statuses: RetryPolicy().statuses.union([.internalServerError]))

    // MARK: Objects

    /// Stores an object: a body of less than a part in one request, a larger one in parts, of 8 MiB at first. An
    /// existing object with this key is replaced once the whole body has been stored; if the body fails, or the task is
    /// cancelled, nothing has changed.
    ///
    /// If the body is that of a client's request, a part has at most a quarter of
    /// `ServerConfiguration.maximumBufferedSize`, or 5 MiB, S3's minimum, if that is more. The memory of the largest
    /// part counts as the client's until the upload ends.
    /// - Throws: ``S3Error``, ``S3InvalidKey``, ``HTTPClient/Failure``, `CancellationError`, any error of the body, an
    ///   error for one that is shorter or longer than its length; `HTTPError` with 503 and `Retry-After` when clients'
    ///   bodies have used up the memory that they may use, with 413 when even one part would never fit.
    public func put(
        _ key: String, _ body: Body, contentType: String = "application/octet-stream"
    ) async throws {
        let memory = body.memory
        let largest = memory?.largest ?? .max
        if largest <= S3Upload.smallestPart, let count = body.count, count > largest {
            throw HTTPError.contentTooLarge(largest)
        }
        let lease = memory.map { MemoryLease(0, of: $0) }
        var pieces = CountedPieces(body)
        var parts = S3Parts()
        // What an upload has had, it keeps to its end: those that begin later cannot take it.
        var held = 0
        let upload = S3Upload(
            self, key, contentType, largestPart: memory.map { S3Upload.largestPart(in: $0) } ?? .max)
        try await upload.send { size in
            while parts.count < size {
                guard let piece = try await pieces.next() else {
                    // Some sources just end when their reader is cancelled: what has come is not the whole.
                    try Task.checkCancellation()
                    break
                }
                guard piece.count <= largest - parts.count else { throw HTTPError.contentTooLarge(largest) }
                let more = parts.count + piece.count - held
                if more > 0 {
                    try lease?.grow(by: more)
                    held += more
                }
                parts.add(piece, toPartOf: min(size, body.count ?? size))
            }
            return parts.next(size)
        }
    }

    /// Returns an object, or a part of it, with its body as a stream; nil if no object has this key. The status of a
    /// part is 206; 304 and 416 are returned as well, if the request's fields lead to them.
    /// - Parameter headers: Fields of the request, such as `Range` and `If-None-Match`.
    /// - Throws: ``S3Error``, ``S3InvalidKey``, ``HTTPClient/Failure``, `CancellationError`.
    public func get(_ key: String, headers: Headers = [:]) async throws -> HTTPClient.Response? {
        try await read(.get, key, headers)
    }

    /// Returns an object's header fields; nil if no object has this key.
    /// - Throws: ``S3Error``, ``S3InvalidKey``, ``HTTPClient/Failure``, `CancellationError`.
    public func head(_ key: String, headers: Headers = [:]) async throws -> HTTPClient.Response? {
        try await read(.head, key, headers)
    }

    private func read(
        _ method: HTTPRequest.Method, _ key: String, _ headers: Headers
    ) async throws -> HTTPClient.Response? {
        var request = try signed(method, key)
        for field in headers.list { request.headers.append(field.name, field.value) }
        // The bytes as they were kept: their number and their tag are those of the object.
        request.headers[.acceptEncoding] = "identity"
        var response = method == .head ? try await http.send(request) : try await http.stream(request)
        if [200, 206, 304, 416].contains(response.status.code) { return response }
        if response.body.isStream { response.body = (try? await response.body.collect(upTo: 1 << 20)) ?? Body() }
        let error = S3Error(response, place(key))
        // A missing bucket is a mistake. The answer to `HEAD` has no body to say so.
        if response.status == .notFound, error.code != "NoSuchBucket" { return nil }
        throw error
    }

    /// Removes an object, if there is one of this key.
    /// - Throws: ``S3Error``, ``S3InvalidKey``, ``HTTPClient/Failure``, `CancellationError`.
    public func remove(_ key: String) async throws {
        let response = try await http.send(signed(.delete, key))
        guard response.status.kind != .successful else { return }
        let error = S3Error(response, place(key))
        guard error.code == "NoSuchKey" else { throw error }
    }

    // MARK: Listing

    /// One part of a list.
    public struct Page: Sendable {
        /// The objects, in the order of their keys.
        public var objects: [Object]
        /// The text that continues the list: give it to ``S3Bucket/list(_:after:)``; nil at its end.
        public var next: String?
    }

    /// An object in a list.
    public struct Object: Sendable, Equatable {
        /// The key, without the prefix of the bucket's place.
        public var key: String
        /// The length in bytes.
        public var size: Int
        /// The time of the last change, in seconds since 1970.
        public var modified: Int
    }

    /// Returns the objects whose keys begin with a text, up to 1,000 at a time.
    /// - Parameters:
    ///   - next: ``Page/next`` of the part before.
    ///   - limit: The most objects to return, at most 1,000.
    /// - Throws: ``S3Error``, ``HTTPClient/Failure``, `CancellationError`.
    public func list(_ prefix: String = "", after next: String? = nil, limit: Int = 1000) async throws -> Page {
        var query = [
            ("list-type", "2"), ("encoding-type", "url"), ("max-keys", "\(limit)"),
            ("prefix", location.prefix + prefix),
        ]
        if let next { query.append(("continuation-token", next)) }
        let response = try await http.send(signed(.get, path: location.basePath, query))
        let document = S3Document(try response.body.bytes[...])
        guard response.status.kind == .successful, let isTruncated = document.text("IsTruncated") else {
            throw S3Error(response, place(prefix))
        }
        let rest = isTruncated == "true" ? document.text("NextContinuationToken") : nil
        // Without its continuation, a part would pass for the whole; one that stays the same would be asked for ever.
        guard isTruncated != "true" || rest != nil, rest == nil || rest != next else {
            throw S3Error(response, place(prefix))
        }
        let isEncoded = document.text("EncodingType") == "url"
        return Page(objects: document.elements("Contents").compactMap { object($0, isEncoded) }, next: rest)
    }

    private func object(_ element: S3Document, _ isEncoded: Bool) -> Object? {
        guard let name = element.text("Key"), let size = element.text("Size").flatMap({ Int($0) }),
            let modified = element.text("LastModified").flatMap({ DateTime.parse($0) })
        else { return nil }
        let key = isEncoded ? PercentEncoding.decoded(Array(name.utf8), plusIsSpace: true) : Array(name.utf8)
        guard key.starts(with: location.prefix.utf8) else { return nil }
        let own = String(decoding: key.dropFirst(location.prefix.utf8.count), as: UTF8.self)
        return Object(key: own, size: size, modified: Int(modified.timeIntervalSince1970))
    }

    // MARK: URLs

    /// Returns a URL with which anybody can get (`.get`) or store (`.put`) an object for some time, at most a week.
    /// - Parameter fileName: The name under which a browser saves the object, instead of showing it.
    /// - Throws: ``S3InvalidKey``.
    public func signedURL(
        _ method: HTTPRequest.Method, _ key: String, expiresIn time: Duration, fileName: String? = nil
    ) throws(S3InvalidKey) -> String {
        let name = fileName.map { ("response-content-disposition", ContentDisposition.attachment($0)) }
        let signature = S3Signature(
            method: method.rawValue, host: location.host, path: try path(key), query: name.map { [$0] } ?? [],
            fields: [], bodyHash: S3Signature.unsigned)
        let seconds = min(max(1, Int(time.components.seconds)), 7 * 86_400)
        return "\(location.origin)\(signature.path)?\(signature.signedQuery(location, at: now(), seconds: seconds))"
    }

    // MARK: Requests

    /// A signed request for a key.
    func signed(
        _ method: HTTPRequest.Method, _ key: String, _ query: [(String, String)] = [],
        _ fields: [(String, String)] = [],
        _ body: [UInt8] = [], hash: String = S3Signature.emptyHash
    ) throws -> HTTPClient.Request {
        signed(method, path: try path(key), query, fields, body, hash: hash)
    }

    private func signed(
        _ method: HTTPRequest.Method, path: String, _ query: [(String, String)], _ fields: [(String, String)] = [],
        _ body: [UInt8] = [], hash: String = S3Signature.emptyHash
    ) -> HTTPClient.Request {
        let signature = S3Signature(
            method: method.rawValue, host: location.host, path: path, query: query, fields: fields, bodyHash: hash)
        var headers = Headers()
        for (name, value) in signature.signedFields(location, at: now()) {
            if let name = HTTPField.Name(name) { headers.append(name, value) }
        }
        let encoded = query.isEmpty ? "" : "?\(signature.canonicalQuery)"
        return HTTPClient.Request(method, "\(location.origin)\(path)\(encoded)", headers: headers, body: Body(body))
    }

    /// Sends a request that must succeed.
    func send(_ request: HTTPClient.Request, for key: String) async throws -> HTTPClient.Response {
        let response = try await http.send(request)
        guard response.status.kind == .successful else { throw S3Error(response, place(key)) }
        return response
    }

    /// The pause after which a request is sent again whose answer has begun with 200, and tells of a fault that passes;
    /// nil when it has been sent often enough.
    func pause(after tried: Int, _ request: HTTPClient.Request, _ error: S3Error) -> Duration? {
        guard ["InternalError", "ServiceUnavailable", "SlowDown"].contains(error.code) else { return nil }
        return http.retries?.pause(after: tried, request, .success(HTTPClient.Response(.internalServerError)))
    }

    /// The path of a key: its bytes percent-encoded, but for the slashes.
    private func path(_ key: String) throws(S3InvalidKey) -> String {
        let key = location.prefix + key
        guard Self.isKey(key) else { throw S3InvalidKey(key: key) }
        let segments = key.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return location.basePath
            + segments.map { PercentEncoding.encoded(String(Substring($0))) }.joined(separator: "/")
    }

    /// Whether S3 takes a key, and whatever is between leaves it as it is: segments of dots would be resolved.
    static func isKey(_ key: String) -> Bool {
        (1...1024).contains(key.utf8.count) && !key.utf8.contains(0)
            && !key.utf8.split(separator: UInt8(ascii: "/")).contains {
                $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8)
            }
    }

    func place(_ key: String) -> String { "\(location)\(key)" }
}

/// The error for a text that cannot be the key of an object.
public struct S3InvalidKey: Error, Sendable, CustomStringConvertible {
    let key: String

    /// A sentence with the rule.
    public var description: String {
        "\"\(key.prefix(100))\" is no key: use 1 to 1,024 bytes without NUL, and no segment \".\" or \"..\"."
    }
}
