import PatternCore

/// Draws a feature's roles and relations as SVG, in rows by part, narrow enough for a phone.
struct Diagram {
    private struct Box {
        let role: Role
        let x: Double
        let y: Double
        static let width = 172.0
        static let height = 44.0

        var middle: (x: Double, y: Double) { (x + Self.width / 2, y + Self.height / 2) }
    }

    private static let gap = 36.0
    private static let width = 380.0
    private let feature: Feature
    private let boxes: [Box]
    private let height: Double

    init(_ feature: Feature) {
        self.feature = feature
        var (boxes, y) = ([Box](), 2.0)
        let hasViews = feature.roles.contains { $0.part == .view }
        let roles = (feature.roles + feature.shared).filter { $0.part != .contract && !($0.part == .page && hasViews) }
        for part in Part.allCases {
            var row = roles.filter { $0.part == part }[...]
            while !row.isEmpty {
                let pair = row.prefix(2)
                row = row.dropFirst(2)
                let start = pair.count == 1 ? (Self.width - Box.width) / 2 : 2
                for (column, role) in pair.enumerated() {
                    let x = start + Double(column) * (Self.width - Box.width - 4)
                    boxes.append(Box(role: role, x: x, y: y))
                }
                y += Box.height + Self.gap
            }
        }
        self.boxes = boxes
        height = y - Self.gap + 2
    }

    /// The drawing; its colours are the style sheet's.
    var svg: String {
        let lines = feature.relations.compactMap(line).joined()
        let rectangles = boxes.map(rectangle).joined()
        return """
            <svg class="diagram" viewBox="0 0 \(Int(Self.width)) \(Int(height))" role="img" \
            aria-label="Who calls whom in \(feature.pattern.name), \(feature.name)">\(lines)\(rectangles)</svg>
            """
    }

    private func rectangle(_ box: Box) -> String {
        let (x, y) = box.middle
        return """
            <g class="part-\(box.role.part)"><rect x="\(number(box.x))" y="\(number(box.y))" rx="8" \
            width="\(Int(Box.width))" height="\(Int(Box.height))"/>\
            <text\(box.role.name.count > 22 ? " class=\"long\"" : "") x="\(number(x))" y="\(number(y + 4))">\
            \(box.role.name)</text></g>
            """
    }

    /// An arrow from border to border. Where two roles call each other, each arrow keeps to its side.
    private func line(_ relation: Relation) -> String? {
        guard let from = boxes.first(where: { $0.role.name == relation.from }),
            let to = boxes.first(where: { $0.role.name == relation.to }), isShown(from.role, to.role)
        else { return nil }
        let (start, end) = (from.middle, to.middle)
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let length = (dx * dx + dy * dy).squareRoot()
        let isMutual = feature.relations.contains { $0.from == relation.to && $0.to == relation.from }
        let shift = isMutual ? 9.0 : 0
        let (sx, sy) = (-dy / length * shift, dx / length * shift)
        // How far along the line the border of a box is.
        let inside = min(Box.width / 2 / max(abs(dx), 1e-9), Box.height / 2 / max(abs(dy), 1e-9))
        let (ux, uy) = (dx / length, dy / length)
        let (x1, y1) = (start.x + dx * inside + sx, start.y + dy * inside + sy)
        let (x2, y2) = (end.x - dx * inside + sx - ux * 2, end.y - dy * inside + sy - uy * 2)
        let (bx, by) = (x2 - ux * 9, y2 - uy * 9)
        let head = [(x2, y2), (bx - uy * 4.5, by + ux * 4.5), (bx + uy * 4.5, by - ux * 4.5)]
            .map { "\(number($0.0)),\(number($0.1))" }.joined(separator: " ")
        return """
            <g class="\(relation.kind)"><line x1="\(number(x1))" y1="\(number(y1))" x2="\(number(bx))" \
            y2="\(number(by))"/><polygon points="\(head)"/></g>
            """
    }

    /// Without what is only put together or passed on there, so that the rest can be seen.
    private func isShown(_ from: Role, _ to: Role) -> Bool {
        switch from.part {
        case .entry: to.part == firstPart || to.part == .entry || !from.name.hasSuffix("Scene")
        case .navigation: to.part == .navigation || to.part == .view
        default: from.part != .logic || !to.name.hasSuffix("ItemViewModel")
        }
    }

    /// The part that an entry turns to.
    private var firstPart: Part? {
        [.navigation, .view, .logic].first { part in feature.roles.contains { $0.part == part } }
    }

    /// With one decimal.
    private func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }
}
