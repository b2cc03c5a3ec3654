import PatternCore

/// A feature of a pattern: the roles in its folder, those that it shares with all patterns, and who can call whom.
struct Feature: Sendable {
    let pattern: Pattern
    /// Its name, which is that of its folder: `Login`.
    let name: String
    /// Its own roles, in the order of their parts.
    let roles: [Role]
    /// The roles of the model and the pages that its own use.
    let shared: [Role]
    let relations: [Relation]

    init(_ pattern: Pattern, _ name: String) {
        self.pattern = pattern
        self.name = name
        let folder = "\(pattern.folder)/\(name)"
        let own = SourceFile.all.filter { $0.folder == folder }.map(Role.init)
        roles = Part.allCases.flatMap { part in own.filter { $0.part == part } }
        let users = own.filter { $0.part != .entry }
        shared = Self.sharedRoles.filter { role in users.contains { $0.relation(to: role) != nil } }
        let nodes = roles.filter { $0.part != .contract } + shared
        relations = nodes.flatMap { from in
            nodes.compactMap { to in from.relation(to: to).map { Relation(from: from.name, to: to.name, kind: $0) } }
        }
    }

    /// Who called a role, when others have been called before it: the last of them that can call it. Nil for the first,
    /// which is called for the browser.
    func caller(of name: String, after earlier: [String]) -> String? {
        let callers = Set(relations.filter { $0.to == name }.map(\.from))
        return earlier.last(where: callers.contains)
    }

    /// What the features of all patterns share and diagrams show.
    private static let sharedRoles = [
        "AuthService", "DetailRepository", "LoginPage", "HomePage", "CardPage", "CounterPage",
    ].compactMap { name in SourceFile.all.first { $0.name == name }.map(Role.init) }
}
