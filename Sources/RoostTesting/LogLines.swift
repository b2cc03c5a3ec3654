package import Logging
import Synchronization

/// A log that keeps its lines for a test to look at.
package final class LogLines: Sendable {
    private let level: Logger.Level
    private let lines = Mutex<[(level: Logger.Level, message: String)]>([])

    /// - Parameter level: What is less important is left out.
    package init(_ level: Logger.Level = .info) { self.level = level }

    /// Every message so far.
    package var all: [String] { lines.withLock { $0.map(\.message) } }

    /// Every message so far, behind its level: `warning The disk is full.`
    package var allWithLevels: [String] { lines.withLock { $0.map { "\($0.level) \($0.message)" } } }

    /// A logger that writes here.
    package var logger: Logger { Logger(label: "test") { _ in Handler(log: self, logLevel: self.level) } }

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
