import Glibc
import HTTPTypes
public import Roost

/// A store of files in a bucket of S3, so that the instances of an application keep no files of their own.
///
///     let pictures = S3FileStore(S3Bucket(try S3Location("s3://nests/pictures")))
///
/// Files pass through this program in both directions, so guards apply to them as to any other response.
public struct S3FileStore: FileStore {
    /// The bucket.
    package let bucket: S3Bucket

    /// The places of files that are being sent: one that comes from S3 has a connection to itself meanwhile.
    private let budget: FileBudget

    /// A store of the objects below the bucket's prefix.
    public init(_ bucket: S3Bucket) { self.init(bucket, .process) }

    /// - Parameter budget: The budget that the files being sent count against.
    init(_ bucket: S3Bucket, _ budget: FileBudget) { (self.bucket, self.budget) = (bucket, budget) }

    /// Checks that the bucket can be reached. Call it when the program starts, so that a mistake shows then.
    /// - Throws: `StartError` if the bucket does not exist or the credentials do not fit it; another one if the service
    ///   cannot be reached.
    public func open() async throws(StartError) {
        do {
            _ = try await bucket.list(limit: 1)
        } catch let error as S3Error where error.isMistake {
            let advice =
                error.status.kind == .redirection
                ? "The bucket is not in the region \(bucket.location.region): name its own in FILES_URL."
                : "Correct FILES_URL or the credentials."
            throw .configuration("The files cannot be reached: \(error). \(advice)")
        } catch {
            throw .unavailable("The files at \(bucket.location) cannot be reached: \(error)")
        }
    }

    /// Keeps a file under a name; one of 8 MiB or more is sent in parts.
    /// - Throws: An error for a name that no store takes; ``S3Error``, ``HTTPClient/Failure``, an error of the system.
    public func save(_ file: UploadedFile, as name: String) async throws {
        try InvalidFileName.check(name)
        var start = 0
        try await S3Upload(bucket, name, "application/octet-stream").send { size in
            let part = try await file.bytes(in: start..<min(start + size, file.count))
            start += part.count
            return part
        }
    }

    /// Returns the file, or the part that `Range` asks for, with an `ETag` and `Last-Modified`.
    /// - Throws: ``HTTPError`` with 412 and 416 as RFC 9110 says, with 503 and `Retry-After` when no file descriptor is
    ///   left for it; ``S3Error``, ``HTTPClient/Failure``.
    public func response(to request: Request, for name: String, contentType: String) async throws -> Response? {
        guard InvalidFileName.isFit(name) else { return nil }
        let isHead = request.method == .head
        let place = isHead ? nil : try FilePlace(in: budget)
        let found = isHead ? try await bucket.head(name) : try await object(name, for: request)
        guard let found else { return nil }
        let headers = Self.headers(found)
        guard found.status.code != 416 else {
            throw HTTPError(.rangeNotSatisfiable, "The file has fewer bytes.", headers: headers)
        }
        let condition = request.precondition(Self.validators(found), now: time(nil))
        if found.status == .notModified || condition == .notModified {
            return Response(.notModified, headers: headers)
        }
        if condition == .failed {
            throw HTTPError(.preconditionFailed, "The file has changed.")
        }
        // The reason is that of the standard, and not the service's own.
        let status: HTTPResponse.Status = found.status == .partialContent ? .partialContent : .ok
        var response = Response(status, headers: headers, body: place?.holding(found.body) ?? found.body)
        if isHead, let length = found.headers[.contentLength].flatMap({ Int($0) }), length > 0 {
            response.body = Body(stream: AsyncThrowingStream { $0.finish() }, length: length)
        }
        response.headers[.contentType] = contentType
        return response
    }

    /// The object, or a part of it. `If-Range` is `If-Match` to S3, and the whole object if that fails.
    private func object(_ name: String, for request: Request) async throws -> HTTPClient.Response? {
        var fields = Self.fields(of: request)
        do {
            let found = try await bucket.get(name, headers: fields)
            // A service that does not know the field would send a part of another file.
            let tag = found?.status == .partialContent ? fields[.ifMatch] : nil
            if tag == nil || tag == found?.headers[.eTag] { return found }
        } catch let error as S3Error where error.status == .preconditionFailed && fields.contains(.ifMatch) {}
        (fields[.ifMatch], fields[.range]) = (nil, nil)
        return try await bucket.get(name, headers: fields)
    }

    /// Removes a file.
    /// - Throws: An error for a name that no store takes; ``S3Error``, ``HTTPClient/Failure``.
    public func remove(_ name: String) async throws {
        try InvalidFileName.check(name)
        try await bucket.remove(name)
    }

    /// Removes files to which nothing refers.
    @discardableResult
    public func removeUnused(
        olderThan age: Duration, used: @Sendable ([String]) async throws -> Set<String>
    ) async throws -> Int {
        let newest = bucket.now() - Int(age.components.seconds)
        var count = 0
        var next: String?
        repeat {
            let page = try await bucket.list(after: next)
            let names = page.objects.filter { $0.modified <= newest }.map(\.key).filter(InvalidFileName.isFit)
            count += try await remove(names, unless: used)
            next = page.next
        } while next != nil
        return count
    }

    /// The fields that S3 evaluates: one tag, and one range, on the condition of one strong tag or none. It knows no
    /// lists of them. A condition that comes before the tag's (RFC 9110 §13.2.2) is evaluated here, and so must the tag
    /// be.
    private static func fields(of request: Request) -> Headers {
        var headers = Headers()
        let tags = request.headers[values: .ifNoneMatch]
        let isFirst = !request.headers.contains(.ifMatch) && !request.headers.contains(.ifUnmodifiedSince)
        if isFirst, tags.count == 1, !tags[0].utf8.contains(UInt8(ascii: ",")), tags[0] != "*" {
            headers[.ifNoneMatch] = tags[0]
        }
        let ranges = request.headers[values: .range]
        let conditions = request.headers[values: .ifRange]
        if ranges.count == 1, isRange(ranges[0]), conditions.count < 2, conditions.allSatisfy(isStrong) {
            headers[.range] = ranges[0]
            headers[.ifMatch] = conditions.first
        }
        return headers
    }

    /// Whether a text is one strong tag (RFC 9110 §8.8.3), and no date.
    private static func isStrong(_ text: String) -> Bool {
        let mark = UInt8(ascii: "\"")
        return text.utf8.count >= 2 && text.utf8.first == mark && text.utf8.last == mark
            && !text.utf8.dropFirst().dropLast().contains(mark)
    }

    private static func isRange(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst("bytes=".utf8.count)
        return text.utf8.starts(with: "bytes=".utf8) && (2...40).contains(digits.count)
            && digits.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") }
    }

    private static func headers(_ found: HTTPClient.Response) -> Headers {
        var headers: Headers = [.cacheControl: "no-cache", .acceptRanges: "bytes"]
        for name in [HTTPField.Name.eTag, .lastModified, .contentRange] { headers[name] = found.headers[name] }
        return headers
    }

    private static func validators(_ found: HTTPClient.Response) -> Validators {
        let now = time(nil)
        let tag = found.headers[.eTag] ?? ""
        let value = tag.utf8.filter { $0 != UInt8(ascii: "\"") }
        let modified = found.headers[.lastModified].map { Array($0.utf8) } ?? []
        let second = modified.withUnsafeBufferPointer { HTTPDate.second(of: $0, now: now) }
        return Validators(
            tag: EntityTag(String(decoding: value, as: UTF8.self), isWeak: tag.hasPrefix("W/")),
            modified: min(second ?? now, now))
    }
}

/// A place among the files that are being sent, which gives itself back.
private final class FilePlace: Sendable {
    private let budget: FileBudget

    /// - Throws: ``HTTPError`` with 503 when there is none.
    init(in budget: FileBudget) throws(HTTPError) {
        guard budget.enter(isSlow: true) else { throw HTTPError.tooManyFiles }
        self.budget = budget
    }

    deinit { budget.leave() }

    /// The body of a file, which has the place as long as anybody has it or reads it.
    func holding(_ body: Body) -> Body {
        guard body.isStream else { return body }
        let pieces = MadePieces(from: (pieces: body.makeAsyncIterator(), place: self)) { try await $0.pieces.next() }
        return Body(stream: pieces, length: body.count)
    }
}
