import PatternCore

/// What the login costs in one pattern, counted in its sources.
struct LoginFigures: Equatable, Sendable {
    let pattern: Pattern
    let files: Int
    /// Lines of code: without blank lines and comments.
    let lines: Int
    let protocols: Int
    /// The roles that decide something, which are all but entries, protocols and pages.
    let roles: Int
    /// Those of them that a test can have without a request and a response.
    let rolesWithoutHTTP: Int

    /// Those of all patterns with a login.
    static let all = Chapter.all.compactMap { $0.login.map(LoginFigures.init) }

    init(_ feature: Feature) {
        pattern = feature.pattern
        files = feature.roles.count
        lines = feature.roles.reduce(0) { $0 + $1.file.lineCount }
        protocols = feature.roles.reduce(0) { $0 + $1.file.protocols.count }
        let deciding = feature.roles.filter { ![.entry, .contract, .page].contains($0.part) }
        roles = deciding.count
        rolesWithoutHTTP = deciding.count(where: \.isWithoutHTTP)
    }

    /// How many times as many lines as MVC.
    var ratio: String {
        let base = Self.all.first { $0.pattern == .mvc }?.lines ?? lines
        let tenths = (lines * 10 + base / 2) / max(1, base)
        return "\(tenths / 10).\(tenths % 10)"
    }
}
