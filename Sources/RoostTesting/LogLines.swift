public import Logging
import Synchronization

/// A log that keeps its lines, for a test to look at.
///
///     let log = LogLines()
///     let client = TestClient(try makeApp(logger: log.logger))
///     …
///     #expect(log.all.contains { $0.contains("The disk is full") })
public final class LogLines: Sendable {
    private let level: Logger.Level
    private let lines = Mutex<[(level: Logger.Level, message: String)]>([])

    /// Creates an empty log.
    /// - Parameter level: Messages below this level are left out.
    public init(_ level: Logger.Level = .info) { self.level = level }

    /// Every message so far.
    public var all: [String] { lines.withLock { $0.map(\.message) } }

    /// Every message so far, preceded by its level: `warning The disk is full.`
    package var allWithLevels: [String] { lines.withLock { $0.map { "\($0.level) \($0.message)" } } }

    /// A logger that writes here.
    public var logger: Logger { Logger(label: "test") { _ in Handler(log: self, logLevel: self.level) } }

    private struct Handler: LogHandler {
        let log: LogLines
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.lines.withLock { $0.append((event.level, "\(event.message)")) }
        }
    }
}

/// The last response that a test has got, which is shown if the test fails.
final class LastResponse: Sendable {
    @TaskLocal static var current: LastResponse?

    private let kept = Mutex<(request: String, response: WireClient.Response)?>(nil)

    func keep(_ response: WireClient.Response, to request: String) { kept.withLock { $0 = (request, response) } }

    /// The request and the whole response, as text; nil before the first.
    var text: String? { kept.withLock { $0.map { "\($0.request):\n\($0.response)" } } }
}

// A build with the static standard library has no Testing, and needs no tests.
#if canImport(Testing)
    public import Testing

    /// Keeps what a test logs, and shows it only if the test fails.
    ///
    ///     @Suite(.quietLog) struct UserTests {
    ///         @Test func `a browser gets the page`() async throws {
    ///             let client = TestClient(try makeApp())
    ///             …
    ///
    /// The last response that a ``TestClient`` got is shown as well, whole.
    ///
    /// While a test runs, swift-log's `Logger.current` is its own ``LogLines``, and an `Application` that was given no
    /// logger logs there. Each failure shows the lines so far.
    public struct QuietLog: TestTrait, SuiteTrait, TestScoping {
        /// Creates the trait; ``Testing/Trait/quietLog`` is its usual spelling.
        package init() {}

        /// True, so that each test of a suite has its own log.
        public var isRecursive: Bool { true }

        /// Runs a test with a log of its own.
        public func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            let log = LogLines()
            let last = LastResponse()
            let failures = IssueHandlingTrait.compactMapIssues { issue in
                var issue = issue
                issue.comments += [log.comment, last.comment].compactMap(\.self)
                return issue
            }
            try await withLogger(log.logger) { _ in
                try await LastResponse.$current.withValue(last) {
                    try await failures.provideScope(for: test, testCase: testCase) {
                        do {
                            try await function()
                        } catch {
                            Self.warn(of: error, thrownBy: test)
                            throw error
                        }
                    }
                }
            }
        }
    }

    extension QuietLog {
        /// Records a warning with what a test has logged: Swift Testing records the error itself outside of the scope,
        /// where nothing is added to it.
        private static func warn(of error: any Error, thrownBy test: Test) {
            // The first is recorded already, and the second ends a test that is skipped.
            guard !(error is ExpectationFailedError), "\(type(of: error))" != "SkipInfo" else { return }
            #if compiler(>=6.3)
                Issue.record("The test has thrown.", severity: .warning, sourceLocation: test.sourceLocation)
            #endif
        }
    }

    extension Trait where Self == QuietLog {
        /// Keeps what a test logs, and shows it only if the test fails.
        public static var quietLog: Self { Self() }
    }

    extension LastResponse {
        fileprivate var comment: Comment? { text.map { Comment(rawValue: "The last response, to " + $0) } }
    }

    extension LogLines {
        fileprivate var comment: Comment? {
            let lines = allWithLevels
            return lines.isEmpty ? nil : Comment(rawValue: "The log:\n" + lines.joined(separator: "\n"))
        }
    }
#endif
