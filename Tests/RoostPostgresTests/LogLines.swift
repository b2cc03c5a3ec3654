import Logging
import Synchronization

/// A log that keeps its lines for a test to look at.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    /// Every message so far.
    var all: [String] { lines.withLock { $0 } }

    /// A logger that writes here, whatever the level.
    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        init(log: LogLines) { self.log = log }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.lines.withLock { $0.append("\(event.message)") }
        }
    }
}
