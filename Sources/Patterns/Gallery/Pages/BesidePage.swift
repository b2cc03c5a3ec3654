package import PatternCore

/// `Templates/patterns/beside.mustache`: the logins of two patterns, part by part.
package struct BesidePage: Encodable, Sendable {
    struct Choice: Encodable, Sendable {
        let name: String
        let value: String
        let isLeft: Bool
        let isRight: Bool
    }

    struct Row: Encodable, Sendable {
        let part: String
        let sides: [Side]
    }

    struct Side: Encodable, Sendable {
        let pattern: String
        let sources: [Source]
    }

    let left: String
    let right: String
    let choices: [Choice]
    let rows: [Row]

    package init(_ left: Pattern, _ right: Pattern) {
        self.left = left.name
        self.right = right.name
        choices = LoginFigures.all.map(\.pattern).map {
            Choice(name: $0.name, value: $0.rawValue, isLeft: $0 == left, isRight: $0 == right)
        }
        rows = Part.rows.compactMap { name, parts in
            let sides = [left, right].map { pattern in
                let sources = Chapter.of(pattern).login?.sources.filter { parts.contains($0.part) } ?? []
                return Side(pattern: pattern.name, sources: sources)
            }
            return sides.allSatisfy(\.sources.isEmpty) ? nil : Row(part: name, sides: sides)
        }
    }
}
