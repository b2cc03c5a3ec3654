/// `Templates/patterns/source.mustache`: a role with its code.
struct SourceSection: Encodable, Sendable {
    let name: String
    let part: String
    let path: String
    let lines: Int
    /// HTML.
    let code: String

    /// Those of all sources, made at the first look.
    private static let all = Dictionary(
        uniqueKeysWithValues: SourceFile.all.map { ($0.path, SourceSection(Role($0))) })

    /// That of a role.
    static func section(_ role: Role) -> SourceSection? { all[role.file.path] }

    private init(_ role: Role) {
        name = role.name
        part = role.title
        path = role.file.path
        lines = role.file.lineCount
        code = SwiftHighlighter.html(role.file.text)
    }
}
