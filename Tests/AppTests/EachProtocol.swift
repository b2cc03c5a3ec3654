import RoostTesting
import Testing

/// Performs each test twice: its visitors send their requests over HTTP/1.1, and then over HTTP/2.
struct EachProtocol: TestTrait, SuiteTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        for transport in [TestClient.Transport.inProcess, .http2] {
            let failures = IssueHandlingTrait.compactMapIssues { issue in
                var issue = issue
                issue.comments.append("Over \(transport)")
                return issue
            }
            try await Site.$transport.withValue(transport) {
                try await failures.provideScope(for: test, testCase: testCase, performing: function)
            }
        }
    }
}

extension Trait where Self == EachProtocol {
    /// Performs each test over HTTP/1.1, and then over HTTP/2.
    static var eachProtocol: Self { Self() }
}
