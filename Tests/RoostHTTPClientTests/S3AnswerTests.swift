import Glibc
import HTTPTypes
import Roost
import RoostTesting
import Synchronization
import Testing

@testable import RoostHTTPClient

private let keys = [
    "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE", "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
]

/// Signatures, places and the errors of a service, without one.
@Suite("S3 without a service", .timeLimit(.minutes(2)))
struct S3AnswerTests {
    private static let host = "examplebucket.s3.amazonaws.com"
    private static let location = try? S3Location("s3://examplebucket", keys)
    /// 24 May 2013, 00:00 UTC.
    private static let time = 1_369_353_600

    @Test func `the parts of the largest upload fit into memory`() {
        let sizes = (0..<10_000).map(S3Upload.size(ofPart:))
        #expect(sizes.max() == 256 << 20 && sizes.reduce(0, +) > 1400 << 30)
        #expect(sizes.prefix(1000).allSatisfy { $0 == S3Bucket.partSize })
    }

    /// The examples of "Authenticating Requests: Using the Authorization Header" in Amazon's reference of S3.
    @Test func `requests are signed as Amazon's examples are`() throws {
        let location = try #require(Self.location)
        let text = SHA256.hexadecimal(of: "Welcome to Amazon S3.".utf8)
        let examples: [(String, String, [(String, String)], [(String, String)], String, String)] = [
            (
                "GET", "/test.txt", [], [("range", "bytes=0-9")], S3Signature.emptyHash,
                "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
            ),
            (
                "PUT", "/test%24file.text", [],
                [("date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")], text,
                "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
            ),
            (
                "GET", "/", [("lifecycle", "")], [], S3Signature.emptyHash,
                "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
            ),
            (
                "GET", "/", [("prefix", "J"), ("max-keys", "2")], [], S3Signature.emptyHash,
                "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
            ),
        ]
        for (method, path, query, fields, hash, expected) in examples {
            let signature = S3Signature(
                method: method, host: Self.host, path: path, query: query, fields: fields, bodyHash: hash)
            let signed = signature.signedFields(location, at: Self.time)
            #expect(signed.last?.1.hasSuffix("Signature=\(expected)") == true, "\(method) \(path)")
        }
    }

    @Test func `a URL is signed as Amazon's example is`() throws {
        let location = try #require(Self.location)
        let signature = S3Signature(
            method: "GET", host: Self.host, path: "/test.txt", query: [], fields: [], bodyHash: S3Signature.unsigned)
        let query = signature.signedQuery(location, at: Self.time, seconds: 86_400)
        #expect(query.hasSuffix("X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"))
    }

    @Test(arguments: [
        ("s3://nests", "https://nests.s3.us-east-1.amazonaws.com", "/", ""),
        ("s3://nests/a/b?region=eu-central-1", "https://nests.s3.eu-central-1.amazonaws.com", "/", "a/b/"),
        ("s3://nests/a@b", "https://nests.s3.us-east-1.amazonaws.com", "/", "a@b/"),
        ("s3://Nests_1", "https://s3.us-east-1.amazonaws.com", "/Nests_1/", ""),
        ("s3://nests.example/", "https://s3.us-east-1.amazonaws.com", "/nests.example/", ""),
        ("s3://nests?endpoint=http://127.0.0.1:9000/", "http://127.0.0.1:9000", "/nests/", ""),
        ("s3://me:a%2Fb@nests?endpoint=https%3A%2F%2FMinio:443", "https://minio:443", "/nests/", ""),
    ])
    func `a URL names a place`(url: String, origin: String, path: String, prefix: String) throws {
        let location = try S3Location(url, keys)
        #expect(location.origin == origin)
        #expect(
            location.host
                == origin.replacing("https://", with: "").replacing("http://", with: "").replacing(":443", with: ""))
        #expect(location.basePath == path)
        #expect(location.prefix == prefix)
        #expect(url.contains("@nests") == (location.credentials.secret == "a/b"))
        #expect(!"\(S3Bucket(location))".contains(location.credentials.secret))
    }

    @Test(arguments: [
        "", "nests", "s3://", "s3://a", "s3://a..b", "s3://ne st", "s3://nests?x=1", "s3://nests?region=",
        "s3://nests/../x", "s3://key@nests", "s3://key:a/b@nests",
        "s3://nests?region=a/b", "s3://nests?endpoint=ftp://x", "s3://nests?endpoint=http://a/b",
        "s3://nests?endpoint=http://u@h",
        "s3://nests?region=a&region=b",
    ])
    func `a mistake in it stops the start, and shows no secret`(url: String) {
        let error = #expect(throws: StartError.self) { try S3Location(url, keys) }
        #expect(error?.exitCode == EX_CONFIG)
        let none = #expect(throws: StartError.self) { try S3Location("s3://nests", ["AWS_ACCESS_KEY_ID": "key"]) }
        #expect(none?.description.contains("AWS_SECRET_ACCESS_KEY") == true)
    }

    private func bucket(_ answer: @escaping @Sendable (HTTPClient.Request) async throws -> HTTPClient.Response) throws
        -> S3Bucket
    {
        S3Bucket(try S3Location("s3://nests", keys), http: HTTPClient(answering: answer))
    }

    private static func xml(_ status: HTTPResponse.Status, _ text: String) -> HTTPClient.Response {
        .init(status, body: Body("<?xml version=\"1.0\"?>\n" + text))
    }

    @Test func `an error of the service says what it is`() async throws {
        let bucket = try bucket { _ in
            Self.xml(.forbidden, "<Error><Code>AccessDenied</Code><Message>No &amp; never&#10;</Message></Error>")
        }
        let error = await #expect(throws: S3Error.self) { try await bucket.put("a", Body("x")) }
        #expect(error?.description == "s3://nests/a: S3 responded 403 AccessDenied: No & never ")
        #expect(error?.httpError?.status == .badGateway)
        await #expect(throws: S3Error.self) { try await bucket.get("a") }
        await #expect(throws: S3Error.self) { try await bucket.list() }
        await #expect(throws: S3Error.self) { try await bucket.remove("a") }
    }

    @Test(arguments: [
        (403, "AccessDenied", EX_CONFIG), (400, "AuthorizationHeaderMalformed", EX_CONFIG),
        (301, "PermanentRedirect", EX_CONFIG), (307, "TemporaryRedirect", EX_CONFIG),
        (403, "RequestTimeTooSkewed", EX_UNAVAILABLE), (408, "Unknown", EX_UNAVAILABLE),
        (429, "SlowDown", EX_UNAVAILABLE), (503, "SlowDown", EX_UNAVAILABLE),
    ])
    func `a start ends for good only when somebody has to correct a setting`(
        status: Int, code: String, exit: Int32
    ) async throws {
        let bucket = try bucket { _ in Self.xml(.init(code: status), "<Error><Code>\(code)</Code></Error>") }
        let error = await #expect(throws: StartError.self) { try await S3FileStore(bucket).open() }
        #expect(error?.exitCode == exit)
        #expect(error?.description.contains("not in the region us-east-1") == (status / 100 == 3))
    }

    @Test func `readers who take nothing keep nobody out`() async throws {
        let film = [UInt8](repeating: 1, count: 4 << 20)
        let server = try await TestHTTPServer { routes in
            routes.get(Path("/nests/film")) { _ in Response(body: Body(film)) }
        }
        let bucket = S3Bucket(try S3Location("s3://nests?endpoint=http://127.0.0.1:\(server.port)", keys))
        var readers: [HTTPClient.Response?] = []
        for _ in 0..<65 { readers.append(try await bucket.get("film")) }
        #expect(try await bucket.head("film")?.status == .ok)
        withExtendedLifetime(readers) {}
    }

    @Test func `a file that is being sent has one of the places for open files`() async throws {
        let server = try await TestHTTPServer { routes in routes.get(Path("/nests/film")) { _ in "film" } }
        let bucket = S3Bucket(try S3Location("s3://nests?endpoint=http://127.0.0.1:\(server.port)", keys))
        let budget = FileBudget(1)
        let store = S3FileStore(bucket, budget)
        let response = { (method: HTTPRequest.Method) in
            try await store.response(to: Request(method, "/film"), for: "film", contentType: "video/mp4")
        }
        #expect(budget.enter(isSlow: true))
        let error = await #expect(throws: HTTPError.self) { try await response(.get) }
        #expect(error?.status == .serviceUnavailable && error?.headers[.retryAfter] == "1")
        #expect(try await response(.head)?.status == .ok)
        budget.leave()
        do {
            let film = try #require(try await response(.get))
            #expect(film.status == .ok && film.body.count == 4)
            #expect(!budget.enter(isSlow: true))
            #expect(try await film.body.collect(upTo: 10).text == "film")
        }
        #expect(budget.enter(isSlow: true))
    }

    @Test(arguments: [500, 503])
    func `a fault that passes does not give up an upload`(status: Int) async throws {
        let seen = Mutex<Set<String>>([])
        var http = HTTPClient { request in
            let isFirst = seen.withLock { $0.insert("\(request.method) \(request.url)").inserted }
            if isFirst { return .init(HTTPResponse.Status(code: status)) }
            return switch request.method {
            case .post where request.url.hasSuffix("?uploads="): Self.xml(.ok, "<UploadId>1</UploadId>")
            case .post: Self.xml(.ok, "<ETag>1</ETag>")
            default: .init(.ok, headers: [.eTag: "1"])
            }
        }
        http.retries = S3Bucket.retries
        http.retries?.pause = .milliseconds(1)
        let bucket = S3Bucket(try S3Location("s3://nests", keys), http: http)
        try await bucket.put("film", Body([UInt8](repeating: 1, count: 9 << 20)))
        #expect(seen.withLock { $0.count } == 4)
    }

    @Test(arguments: [[20], [1, 2, 3, 4, 10], [8, 8, 4], [0, 19, 1]])
    func `pieces of any size become parts of one size`(sizes: [Int]) {
        var left = Array(0..<20 as Range<UInt8>)[...]
        var pieces: [[UInt8]] = []
        for size in sizes {
            pieces.append(Array(left.prefix(size)))
            left = left.dropFirst(size)
        }
        var parts = S3Parts()
        var taken: [[UInt8]] = []
        repeat {
            while parts.count < 8, !pieces.isEmpty { parts.add(pieces.removeFirst()) }
            taken.append(parts.next(8))
        } while parts.count > 0 || !pieces.isEmpty
        #expect(taken == [Array(0..<8), Array(8..<16), Array(16..<20)])
    }

    @Test func `a bucket that is missing is no missing file`() async throws {
        let bucket = try bucket { _ in Self.xml(.notFound, "<Error><Code>NoSuchBucket</Code></Error>") }
        let error = await #expect(throws: S3Error.self) { try await bucket.get("a") }
        #expect(error?.code == "NoSuchBucket")
    }

    @Test func `an upload that fails after its answer has begun is an error, and is given up`() async throws {
        let calls = AsyncStream<String>.makeStream()
        let bucket = try bucket { request in
            calls.continuation.yield(request.method.rawValue)
            return switch request.method {
            case .post where request.url.hasSuffix("?uploads="): Self.xml(.ok, "<R><UploadId>a&quot;/b</UploadId></R>")
            case .post: Self.xml(.ok, "<Error><Code>InternalError</Code></Error>")
            default: .init(.ok, headers: [.eTag: "\"1\""])
            }
        }
        let error = await #expect(throws: S3Error.self) {
            try await bucket.put("a", Body([UInt8](repeating: 1, count: 9 << 20)))
        }
        #expect(error?.code == "InternalError")
        calls.continuation.finish()
        #expect(await calls.stream.reduce(into: []) { $0.append($1) } == ["POST", "PUT", "PUT", "POST", "DELETE"])
    }

    /// In one request, and in parts.
    @Test(arguments: [1, 1 << 20], [-1, 1])
    func `a body that is shorter or longer than its length is not kept`(size: Int, difference: Int) async throws {
        let calls = Mutex<[String]>([])
        let bucket = try bucket { request in
            calls.withLock { $0.append(request.method.rawValue) }
            return request.method == .post ? Self.xml(.ok, "<UploadId>1</UploadId>") : .init(.ok, headers: [.eTag: "1"])
        }
        let (pieces, source) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        for _ in 0..<9 { source.yield([UInt8](repeating: 1, count: size)) }
        source.finish()
        let body = Body(stream: pieces, length: (9 + difference) * size)
        await #expect(throws: BodyLengthError.self) { try await bucket.put("a", body) }
        // What was begun is given up.
        #expect(calls.withLock { $0 } == (size == 1 ? [] : ["POST", "PUT", "DELETE"]))
    }

    @Test func `an upload whose task is cancelled is given up at the service, too`() async throws {
        let (calls, called) = AsyncStream<String>.makeStream()
        let (silence, source) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let bucket = try bucket { request in
            called.yield(request.method.rawValue)
            return request.method == .post ? Self.xml(.ok, "<UploadId>1</UploadId>") : .init(.ok, headers: [.eTag: "1"])
        }
        source.yield([UInt8](repeating: 1, count: 8 << 20))
        let upload = Task { try await bucket.put("a", Body(stream: silence)) }
        var seen: [String] = []
        for await call in calls {
            seen.append(call)
            if call == "PUT" { upload.cancel() }
            if call == "DELETE" { break }
        }
        #expect(seen == ["POST", "PUT", "DELETE"])
        await #expect(throws: (any Error).self) { try await upload.value }
    }

    @Test(arguments: [
        "", "<", "<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>", "<html>",
        "<IsTruncated>", "</IsTruncated><IsTruncated>", "<IsTruncated>true</IsTruncated>",
    ])
    func `an answer that is no list is an error, not an empty one`(text: String) async throws {
        let bucket = try bucket { _ in Self.xml(.ok, text) }
        await #expect(throws: S3Error.self) { try await bucket.list(after: "t") }
    }

    @Test func `entities of all kinds are read, and broken ones are text`() {
        let text = "<K>&lt;&#65;&#x1F95A;&#xD800;&#99999999999;&bad;&amp;lt;&</K>"
        #expect(S3Document(Array(text.utf8)[...]).text("K") == "<A\u{1F95A}&#xD800;&#99999999999;&bad;&lt;&")
    }
}
