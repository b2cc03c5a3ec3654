/// Finds the name that somebody probably meant when they misspelt it.
struct ClosestName {
    private let wanted: [UInt8]

    init(to name: String) {
        wanted = Array(name.utf8.prefix(64))
    }

    /// The candidate with the fewest edits, if they are few for its length.
    func among(_ names: [String]) -> String? {
        let limit = max(wanted.count / 3, 1)
        let scored = names.prefix(1000).map { (name: $0, edits: edits(to: Array($0.utf8.prefix(64)))) }
        return scored.filter { $0.edits <= limit && $0.edits < wanted.count }.min { $0.edits < $1.edits }?.name
    }

    /// How many insertions, deletions and substitutions lead from the one to the other (Levenshtein).
    private func edits(to name: [UInt8]) -> Int {
        var row = Array(0...name.count)
        for (index, byte) in wanted.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in name.indices {
                let substituted = diagonal + (name[column] == byte ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substituted, diagonal + 1, row[column] + 1)
            }
        }
        return row[name.count]
    }
}
