public import Logging

/// The log handler of a Roost application that chooses no other: it writes lines to standard error, for people in
/// development and for programs in production (`LOG_FORMAT`, ``LogFormat``), from the level `LOG_LEVEL` on.
///
/// An application uses it by itself, and with `SiteProgram` every logger of the program does. A program with its own
/// `main` gets the same if it begins with this, which swift-log accepts once in a process:
///
///     LoggingSystem.bootstrap(RoostLogHandler.init)
///
/// Lines are written by a thread of their own, so logging never waits: if nobody reads standard error, lines are
/// dropped beyond 1 MiB, and counted. A crash loses the lines of the last 50 ms.
public struct RoostLogHandler: LogHandler {
    /// Messages below this level are left out.
    public var logLevel: Logger.Level
    /// The metadata of every line.
    public var metadata: Logger.Metadata = [:]
    /// The provider of further metadata for each line.
    public var metadataProvider: Logger.MetadataProvider?

    let output: LogOutput

    /// Creates the handler of a logger.
    /// - Parameter label: The name of the logger, which its lines contain.
    public init(label: String) {
        self.init(label: label, format: .current, level: .ofEnvironment, writer: .standardError)
    }

    init(label: String, format: LogFormat, level: Logger.Level = .info, writer: LogWriter) {
        output = LogOutput(label: label, format: format, writer: writer)
        logLevel = level
        metadataProvider = LoggingSystem.metadataProvider
    }

    /// Writes the lines that wait, unless nobody reads them for a second: call it before something else is written to
    /// the same place that must come after them. It waits, so not on an event loop.
    package static func flush() { LogWriter.standardError.flush() }

    /// The metadata of this logger by name.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Logs an event.
    public func log(event: LogEvent) {
        var added = event.metadata ?? [:]
        if let error = event.error { added["error"] = "\(error)" }
        // Made here, because a description that logs must not find the writer locked.
        let message = event.message.description
        let values = told(besides: added)
        Timelines.current?.note(.log, "\(event.level): \(message)")
        output.write(event.level) { line in
            line.field("message", message)
            line.metadata(values)
        }
    }

    /// Returns what a line tells beside its message, sorted by name: the logger's own, its provider's, and the event's.
    func told(besides added: Logger.Metadata = [:]) -> [(name: String, text: String)] {
        let provided = metadataProvider?.get() ?? [:]
        if metadata.isEmpty, provided.isEmpty, added.isEmpty { return [] }
        let all = metadata.merging(provided) { _, new in new }.merging(added) { _, new in new }
        return all.map { (name: $0.key, text: $0.value.description) }.sorted { $0.name < $1.name }
    }
}

/// The label of a logger, and the format and place of its lines. It is an object because a request's line needs no more
/// of a handler, and passes one reference on faster than a handler's parts.
final class LogOutput: Sendable {
    private let label: String
    let format: LogFormat
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
