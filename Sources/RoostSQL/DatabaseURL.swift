public import Roost

/// The location of a database: `sqlite:users.sqlite`, `sqlite:/srv/users.sqlite`, `sqlite::memory:`, `postgres://…` or
/// `postgresql://…`.
public enum DatabaseURL: Sendable, Equatable {
    /// A file, by its path; the path `:memory:` means a database in memory.
    case sqlite(path: String)
    /// A server: the whole URL as libpq takes it. It may contain a password.
    case postgresql(String)

    /// Parses the text of a URL.
    /// - Throws: `StartError`, which shows no more of the text than its scheme.
    public init(_ text: String) throws(StartError) {
        let scheme = text.prefix { $0 != ":" }
        let rest = text.dropFirst(scheme.count + 1)
        switch scheme {
        case "sqlite" where !rest.isEmpty && !rest.utf8.contains(0): self = .sqlite(path: String(rest))
        case "postgres", "postgresql": self = .postgresql(text)
        default:
            let shown = text.contains(":") && scheme.count < 20 ? "begins with \"\(scheme):\"" : "has no scheme"
            throw StartError.configuration(
                "DATABASE_URL \(shown); set it to sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME."
            )
        }
    }

    /// The same database, with a relative path of a file resolved against a folder.
    public func inFolder(_ folder: String) -> DatabaseURL {
        guard case .sqlite(let path) = self, path != ":memory:", !path.hasPrefix("/") else { return self }
        return .sqlite(path: folder + "/" + path)
    }
}
