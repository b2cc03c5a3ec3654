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

    /// - Parameter level: Messages below this level are left out.
    public init(_ level: Logger.Level = .info) { self.level = level }

    /// Every message so far.
    public var all: [String] { lines.withLock { $0.map(\.message) } }

    /// Every message so far, preceded by its level: `warning The disk is full.`
    public var allWithLevels: [String] { lines.withLock { $0.map { "\($0.level) \($0.message)" } } }

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
