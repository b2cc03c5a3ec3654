public import Roost

/// Where a database is: `sqlite:users.sqlite`, `sqlite:/srv/users.sqlite`, `sqlite::memory:`, `postgres://…` or
/// `postgresql://…`.
public enum DatabaseURL: Sendable, Equatable {
    /// A file, by its path; `:memory:` is none.
    case sqlite(path: String)
    /// A server; the whole URL, which may hold a password, as libpq takes it.
    case postgresql(String)

    /// The place that a text names.
    /// - Throws: `StartError` that shows no more of the text than its scheme.
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

    /// The same place, with a relative path of a file taken from a folder.
    public func inFolder(_ folder: String) -> DatabaseURL {
        guard case .sqlite(let path) = self, path != ":memory:", !path.hasPrefix("/") else { return self }
        return .sqlite(path: folder + "/" + path)
    }
}
