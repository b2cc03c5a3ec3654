import HTTPTypes
import Roost
import Synchronization
import Testing

@testable import RoostHTTPClient

/// Parts of files in S3, and names for those who get them, without a service.
@Suite("Ranges from S3", .timeLimit(.minutes(2)))
struct S3RangeTests {
    private static let keys = ["AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"]

    /// A bucket with one file of ten bytes and the tag `"1"`, whose reasons are its own.
    private static func bucket(_ see: @escaping @Sendable (Headers) -> Void = { _ in }) throws -> S3Bucket {
        let http = HTTPClient { request in
            see(request.headers)
            // A service that knows no conditions sends its part for any of them.
            if let tag = request.headers[.ifMatch], tag != "\"1\"", tag != "\"unknown\"" {
                return .init(.preconditionFailed)
            }
            let headers: Headers = [.eTag: "\"1\""]
            guard request.headers[.range] == "bytes=2-3" else {
                return .init(.init(code: 200, reasonPhrase: "FINE"), headers: headers, body: "0123456789")
            }
            return .init(.init(code: 206, reasonPhrase: "PARTLY FINE"), headers: headers, body: "23")
        }
        return S3Bucket(try S3Location("s3://nests", keys), http: http)
    }

    @Test(arguments: [
        (nil, "23", 1), ("\"1\"", "23", 1), ("\"2\"", "0123456789", 2), ("\"unknown\"", "0123456789", 2),
        ("W/\"1\"", "0123456789", 1),
        ("Mon, 30 Nov 2026 00:00:00 GMT", "0123456789", 1), ("\"", "0123456789", 1), ("\"1\", \"2\"", "0123456789", 1),
    ])
    func `a part is sent if the file is still the one that the client has begun`(
        condition: String?, text: String, calls: Int
    ) async throws {
        let seen = Mutex(0)
        let store = S3FileStore(try Self.bucket { _ in seen.withLock { $0 += 1 } })
        var headers: Headers = [.range: "bytes=2-3"]
        headers[.ifRange] = condition
        let request = try Request(.get, "/film", headers: headers)
        let response = try #require(try await store.response(to: request, for: "film", contentType: "video/mp4"))
        #expect(response.status.code == (text == "23" ? 206 : 200))
        #expect(response.status.reasonPhrase == (text == "23" ? "Partial Content" : "OK"))
        #expect(try await response.body.collect(upTo: 10).text == text)
        #expect(seen.withLock { $0 } == calls)
    }

    @Test func `a signed URL names the file that a browser keeps`() throws {
        let url = try Self.bucket().signedURL(.get, "1", expiresIn: .seconds(60), fileName: "Übersicht 1.pdf")
        let name = "attachment; filename=\"_bersicht 1.pdf\"; filename*=UTF-8''%C3%9Cbersicht%201.pdf"
        #expect(url.contains("&response-content-disposition=\(PercentEncoding.encoded(name))&"))
        #expect(try !Self.bucket().signedURL(.get, "1", expiresIn: .seconds(60)).contains("response-content"))
    }
}
