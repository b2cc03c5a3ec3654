/// Finds the name that was probably meant when a name is misspelt.
package struct ClosestName {
    private let wanted: [UInt8]

    package init(to name: String) {
        wanted = Array(name.utf8.prefix(64))
    }

    /// The candidate with the fewest edits, if they are few for its length.
    /// - Parameter most: The number of edits that are few; by default a third of the length.
    func among(_ names: [String], within most: Int? = nil) -> String? {
        let limit = most ?? max(wanted.count / 3, 1)
        let scored = names.prefix(1000).map { (name: $0, edits: edits(to: Array($0.utf8.prefix(64)))) }
        return scored.filter { $0.edits <= limit && $0.edits < wanted.count }.min { $0.edits < $1.edits }?.name
    }

    /// The question whether the closest candidate was meant; nil if none is close.
    package func question(among names: [String]) -> String? { among(names).map { "did you mean \"\($0)\"?" } }

    /// The number of insertions, deletions, substitutions and swaps of neighbours between the two names.
    private func edits(to name: [UInt8]) -> Int {
        var (last, row) = ([Int](), Array(0...name.count))
        for (index, byte) in wanted.enumerated() {
            var next = [index + 1]
            for column in name.indices {
                let substituted = row[column] + (name[column] == byte ? 0 : 1)
                var best = min(substituted, row[column + 1] + 1, next[column] + 1)
                if index > 0, column > 0, name[column - 1] == byte, name[column] == wanted[index - 1] {
                    best = min(best, last[column - 1] + 1)
                }
                next.append(best)
            }
            (last, row) = (row, next)
        }
        return row[name.count]
    }
}
