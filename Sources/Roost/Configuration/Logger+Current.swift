package import Logging

extension Logger {
    /// The task's logger, as swift-log's `withLogger` set it, or a new one of this label.
    package static func current(or label: String) -> Logger {
        let logger = Logger.current
        return logger.label.isEmpty ? Logger(label: label) : logger
    }
}
