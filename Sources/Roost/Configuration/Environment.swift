import Glibc

/// The environment in which the application runs (`ROOST_ENV`).
public enum Environment: String, Sendable, CaseIterable {
    /// On the author's machine: errors are explained, templates are live, there is a demo account. The default, except
    /// with `TLS=auto`.
    case development
    /// The environment for the public, without any of that.
    case production

    /// Reads `ROOST_ENV`; without it, development, but with `TLS=auto` production: such a site is open to everybody.
    /// - Throws: ``StartError`` for anything else.
    public init(_ variables: [String: String]) throws(StartError) {
        let text = variables["ROOST_ENV"] ?? ""
        guard let environment = text.isEmpty ? Self.usual(variables) : Environment(rawValue: text) else {
            throw StartError.configuration("ROOST_ENV is \"\(text)\"; set it to development or production.")
        }
        self = environment
    }

    /// Reads `ROOST_ENV`; the reader notes an invalid value, and production is in force until that stops the start.
    public init(reading reader: inout SettingsReader) {
        let usual = Self.usual(reader.variables).rawValue
        let environment = reader.read("ROOST_ENV", default: usual) { variables throws(StartError) in
            try Environment(variables)
        }
        self = environment ?? .production
    }

    private static func usual(_ variables: [String: String]) -> Environment {
        isOnInternet(variables) ? .production : .development
    }

    /// Whether the program is to be on the internet by itself: defaults that are for an author's machine are others
    /// then.
    static func isOnInternet(_ variables: [String: String]) -> Bool { variables["TLS"] == "auto" }

    /// The environment of this process by its `ROOST_ENV`; production if that names none that exists, until that stops
    /// the start.
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
