import Logging

/// The label of a logger, and the format and place of its lines. It is an object because a request's line needs no more
/// of a handler, and passes one reference on faster than a handler's parts.
final class LogOutput: Sendable {
    private let label: String
    private let format: LogFormat
    private let writer: LogWriter

    init(label: String, format: LogFormat, writer: LogWriter) {
        self.label = label
        self.format = format
        self.writer = writer
    }

    /// Logs a line of several fields; the closure is called at once, and must not log.
    func write(_ level: Logger.Level, _ fields: (inout LogLine) -> Void) {
        writer.write(level, label, format, fields)
    }
}
