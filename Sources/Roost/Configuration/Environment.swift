import Glibc

/// The environment in which the application runs (`ROOST_ENV`).
public enum Environment: String, Sendable, CaseIterable {
    /// On the author's machine: errors are explained, templates are live, there is a demo account. The default, except
    /// with `TLS=auto`.
    case development
    /// The environment for the public, without any of that.
    case production

    /// Reads `ROOST_ENV`; if it is not set, development, or production with `TLS=auto`, since such a site is public.
    /// - Throws: ``StartError`` for anything else.
    public init(_ variables: [String: String]) throws(StartError) {
        self = try Self.setting(variables).value(in: variables)
    }

    /// Reads `ROOST_ENV`; the reader notes an invalid value, and production is in force until that stops the start.
    public init(reading reader: inout SettingsReader) {
        _ = reader.read(Self.setting(reader.variables))
        self = (try? Environment(reader.variables)) ?? .production
    }

    private static func setting(_ variables: [String: String]) -> Setting<Environment> {
        Setting("ROOST_ENV", default: isOnInternet(variables) ? .production : .development)
    }

    /// Whether the program is to be on the internet by itself: defaults that are for an author's machine are others
    /// then.
    static func isOnInternet(_ variables: [String: String]) -> Bool { variables["TLS"] == "auto" }

    /// The environment of this process by its `ROOST_ENV`; production if that is invalid, until the mistake stops the
    /// start.
    public static let current = (try? Environment(ProcessEnvironment.variables)) ?? .production
}

/// The environment variables of this process.
public enum ProcessEnvironment {
    /// All of them.
    public static var variables: [String: String] {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            next += 1
        }
        return variables
    }
}
