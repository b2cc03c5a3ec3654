package import Logging

extension Logger {
    /// The task's logger, as swift-log's `withLogger` set it, or a new one of this label: of the handler that swift-log
    /// was bootstrapped with, or, without one, ``RoostLogHandler``.
    package static func current(or label: String) -> Logger {
        let logger = Logger.current
        guard logger.label.isEmpty else { return logger }
        let usual = Logger(label: label)
        return usual.handler is StreamLogHandler ? Logger(label: label) { RoostLogHandler(label: $0) } : usual
    }
}

extension Logger.Level {
    static let setting = Setting(
        "LOG_LEVEL", default: Self.info, expectation: "one of " + allCases.map(\.rawValue).joined(separator: ", ")
    ) { Self(rawValue: $0) }

    /// Reads `LOG_LEVEL`; without it, `info`.
    /// - Throws: ``StartError`` for anything else than a level's name.
    init(_ variables: [String: String]) throws(StartError) { self = try Self.setting.value(in: variables) }

    /// The level that the environment of this process asks for; `info` if it asks for one that does not exist, until
    /// that stops the start.
    static let ofEnvironment = (try? Logger.Level(ProcessEnvironment.variables)) ?? .info
}
