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

    @Test func `an error that a test throws shows it, too`() async throws {
        let comments = try await comments {
            _ = try await TestClient(try application()).get("/fails")
            throw Oops()
        }
        #expect(comments.contains { $0.hasPrefix("The log:\n") && $0.contains("GET /fails 500") })
        #expect(comments.contains { $0.hasPrefix("The last response, to GET /fails:\n") })
    }

    @Test func `an error goes on to the traits around it`() async throws {
        let test = try #require(Test.current)
        await #expect(throws: Oops.self) {
            try await IssueHandlingTrait.compactMapIssues { _ in nil }.provideScope(for: test, testCase: nil) {
                try await QuietLog().provideScope(for: test, testCase: nil) { throw Oops() }
            }
        }
    }

    /// Swift Testing has recorded it when it is thrown.
    @Test func `a requirement that is not met is not recorded twice`() async {
        await #expect(throws: ExpectationFailedError.self) {
            _ = try await comments { try #require(Bool(false), "why") }
        }
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
        do {
            try await keep.provideScope(for: test, testCase: nil) {
                try await QuietLog().provideScope(for: test, testCase: nil, performing: body)
            }
        } catch is Oops {}
        return comments.withLock { $0 }
    }
}
