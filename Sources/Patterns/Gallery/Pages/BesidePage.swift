package import PatternCore

/// `Templates/patterns/beside.mustache`: the logins of two patterns, part by part.
package struct BesidePage: Encodable, Sendable {
    struct Choice: Encodable {
        let name: String
        let value: String
        let isLeft: Bool
        let isRight: Bool
    }

    struct Row: Encodable {
        let part: String
        let sides: [Side]
    }

    struct Side: Encodable {
        let pattern: String
        let sources: [SourceSection]
    }

    let left: String
    let right: String
    let choices: [Choice]
    let rows: [Row]

    package init(_ left: Pattern, _ right: Pattern) {
        self.left = left.name
        self.right = right.name
        let logins = Chapter.all.compactMap(\.login)
        choices = logins.map(\.pattern).map {
            Choice(name: $0.name, value: $0.rawValue, isLeft: $0 == left, isRight: $0 == right)
        }
        let sides = [left, right].compactMap { pattern in logins.first { $0.pattern == pattern } }
        rows = Part.allCases.compactMap { part in
            let row = sides.map { feature in
                let roles = feature.roles.filter { $0.part == part }
                return Side(pattern: feature.pattern.name, sources: roles.compactMap(SourceSection.section))
            }
            return row.contains { !$0.sources.isEmpty } ? Row(part: part.rawValue, sides: row) : nil
        }
    }
}
