import Logging

/// The format of the log's lines.
public enum LogFormat: String, Sendable, CaseIterable {
    /// For people: `2026-11-22T16:20:31.123Z info app: 192.0.2.7 GET /users 200 1093 B 0.42 ms 3k9rt0v5cmz1x`.
    case text
    /// For programs: a JSON object (RFC 8259) a line, with `time`, `level`, `label` and `message`, or what a request's
    /// line tells in members of their own.
    case json

    /// Reads `LOG_FORMAT`; without it, text in development and JSON in production.
    /// - Throws: `StartError` for anything else.
    package init(_ variables: [String: String]) throws(StartError) {
        let text = variables["LOG_FORMAT"] ?? ""
        let usual = try Environment(variables) == .production ? LogFormat.json : .text
        guard let format = text.isEmpty ? usual : LogFormat(rawValue: text) else {
            throw StartError.configuration("LOG_FORMAT is \"\(text)\"; set it to text or json.")
        }
        self = format
    }

    /// Notes `LOG_LEVEL` and `LOG_FORMAT` among the settings that a program has read, and whether they are valid.
    public static func read(_ reader: inout SettingsReader) {
        _ = reader.read("LOG_LEVEL", default: "info") { variables throws(StartError) in
            try Logger.Level(variables)
        }
        let usual = (try? LogFormat(reader.variables.filter { $0.key != "LOG_FORMAT" })) ?? .json
        _ = reader.read("LOG_FORMAT", default: usual.rawValue) { variables throws(StartError) in
            try LogFormat(variables)
        }
    }

    /// The format that the environment of this process asks for; JSON if it asks for one that does not exist, until
    /// that stops the start.
    static let current = (try? LogFormat(ProcessEnvironment.variables)) ?? .json
}
