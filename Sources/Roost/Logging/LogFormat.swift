import Logging

/// The format of the log's lines.
public enum LogFormat: String, Sendable, CaseIterable {
    /// For people: `2026-11-22T16:20:31.123Z info app: 192.0.2.7 GET /users 200 1093 B 0.42 ms 3k9rt0v5cmz1x`.
    case text
    /// For programs: one JSON object (RFC 8259) per line, with `time`, `level`, `label` and `message`; the line of a
    /// request has further members.
    case json

    /// Reads `LOG_FORMAT`; without it, text in development and JSON in production.
    /// - Throws: `StartError` for anything else.
    package init(_ variables: [String: String]) throws(StartError) {
        self = try Self.setting(try Environment(variables)).value(in: variables)
    }

    private static func setting(_ environment: Environment) -> Setting<LogFormat> {
        Setting("LOG_FORMAT", default: environment == .production ? .json : .text)
    }

    /// Records `LOG_LEVEL` and `LOG_FORMAT` among the settings that a program has read, and any mistake in them.
    public static func read(_ reader: inout SettingsReader) {
        _ = reader.read(Logger.Level.setting)
        _ = reader.read(setting((try? Environment(reader.variables)) ?? .production))
    }

    /// The format that the environment of this process asks for; JSON if it asks for one that does not exist, until
    /// that stops the start.
    static let current = (try? LogFormat(ProcessEnvironment.variables)) ?? .json
}
