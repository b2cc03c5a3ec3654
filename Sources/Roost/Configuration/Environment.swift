import Glibc

/// The environment in which the application runs (`ROOST_ENV`).
public enum Environment: String, Sendable, CaseIterable {
    /// On the author's machine: errors are explained, templates are live, there is a demo account. The default.
    case development
    /// The environment for the public, without any of that.
    case production

    /// Reads `ROOST_ENV`; without it, development.
    /// - Throws: ``StartError`` for anything else.
    public init(_ variables: [String: String]) throws(StartError) {
        let text = variables["ROOST_ENV"] ?? ""
        guard let environment = text.isEmpty ? .development : Environment(rawValue: text) else {
            throw StartError.configuration("ROOST_ENV is \"\(text)\"; set it to development or production.")
        }
        self = environment
    }

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
