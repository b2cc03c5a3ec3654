import Logging
import Roost
import RoostTesting
import Synchronization
import Testing

@Suite("A quiet log", .quietLog, .timeLimit(.minutes(5)))
struct QuietLogTests {
    struct Oops: Error {}

    private func application() throws -> Application {
        try Application(configuration: ServerConfiguration()) { routes in
            routes.get(Path("/fails")) { _ throws -> String in throw Oops() }
        }
    }

    @Test func `a failure shows what the application logged before it`() async throws {
        let comments = try await comments {
            let client = TestClient(try application())
            let response = try await client.get("/fails")
            #expect(response.status == .ok, "why")
        }
        let log = try #require(comments.first { $0.hasPrefix("The log:\n") })
        #expect(log.contains("GET /fails: Oops()"))
        #expect(log.contains("GET /fails 500"))
        #expect(comments.contains("why"))
    }

    @Test func `a failure without a log shows none`() async throws {
        let comments = try await comments { #expect(Bool(false), "why") }
        #expect(comments == ["why"])
    }

    @Test func `a logger of one's own stays`() throws {
        let log = LogLines()
        #expect(try application().logger.label == "test")
        let own = try Application(logger: Logger(label: "own") { _ in log.logger.handler }) { _ in }
        #expect(own.logger.label == "own")
    }

    /// The comments of the failures in `body`, which are not this test's.
    private func comments(_ body: @concurrent @escaping @Sendable () async throws -> Void) async throws -> [String] {
        let test = try #require(Test.current)
        let comments = Mutex<[String]>([])
        let keep = IssueHandlingTrait.compactMapIssues { issue in
            comments.withLock { $0 += issue.comments.map(\.rawValue) }
            return nil
        }
        try await keep.provideScope(for: test, testCase: nil) {
            try await QuietLog().provideScope(for: test, testCase: nil, performing: body)
        }
        return comments.withLock { $0 }
    }
}
