internal import RoostSQL

extension SQLiteConnection {
    /// Reads the whole file; returns what is wrong with its pages, indexes, constraints and foreign keys, at most about
    /// 200 sentences.
    func faults() throws -> [String] {
        var faults: [String] = []
        _ = try run("PRAGMA integrity_check(100)", into: &faults) { faults, row in
            if let text = row.text(0), text != "ok" { faults.append(text) }
            return true
        }
        return try faults + orphans(atMost: 100)
    }

    /// The rows that refer to rows which do not exist, a sentence each.
    private func orphans(atMost limit: Int) throws -> [String] {
        var orphans: [String] = []
        _ = try run("PRAGMA foreign_key_check", into: &orphans) { orphans, row in
            let name = row.text(0) ?? "?"
            let number = row.integer(1).map { " \($0)" } ?? ""
            orphans.append("row\(number) of \(name) refers to a row of \(row.text(2) ?? "?") that does not exist")
            return orphans.count < limit
        }
        return orphans
    }

    /// - Throws: ``DatabaseError/foreignKeyViolation(_:)`` when a row refers to one that does not exist.
    func checkForeignKeys() throws {
        let orphans = try orphans(atMost: 3)
        guard orphans.isEmpty else { throw DatabaseError.foreignKeyViolation(orphans.joined(separator: "; ")) }
    }
}
