import HTTPTypes
import Roost
import Synchronization
import Testing

@testable import RoostHTTPClient

/// Faults that S3 tells of after 200.
@Suite("Faults of S3", .timeLimit(.minutes(2)))
struct S3FaultTests {
    @Test(arguments: [1, 9])
    func `the end of an upload at which S3 has a fault of its own is asked for again`(faults: Int) async throws {
        let calls = Mutex<[String]>([])
        let left = Mutex(faults)
        var http = HTTPClient { request in
            calls.withLock { $0.append(request.method.rawValue) }
            if request.url.hasSuffix("?uploads=") { return .init(.ok, body: Body("<UploadId>1</UploadId>")) }
            guard request.method == .post else { return HTTPClient.Response(.ok, headers: [.eTag: "1"]) }
            let hasFault = left.withLock { left in
                left -= 1
                return left >= 0
            }
            return HTTPClient.Response(
                .ok, body: Body(hasFault ? "<Error><Code>InternalError</Code></Error>" : "<ETag>1</ETag>"))
        }
        http.retries = S3Bucket.retries
        http.retries?.tries = 2
        http.retries?.pause = .milliseconds(1)
        let bucket = S3Bucket(try S3Location("s3://key:secret@nests", [:]), http: http)
        let outcome = await Result { try await bucket.put("film", Body([UInt8](repeating: 1, count: 9 << 20))) }
        switch outcome {
        case .success: #expect(faults == 1)
        case .failure(let error): #expect(faults == 9 && (error as? S3Error)?.code == "InternalError")
        }
        // The parts are removed after the last try.
        let end = faults == 1 ? [] : ["DELETE"]
        #expect(calls.withLock { $0 } == ["POST", "PUT", "PUT", "POST", "POST"] + end)
    }
}
