import PatternCore

/// The comparison of the logins as a text, for `App patterns report`.
package enum Report {
    /// The whole report.
    /// - Parameter date: When it is made.
    package static func text(date: String, machine: String) async throws -> String {
        let times = try await LoginMeasurement.nanoseconds()
        let rows = LoginFigures.all.map { figures in row(figures, times[figures.pattern] ?? 0) }
        let head = ["pattern", "files", "lines", "× MVC", "protocols", "roles without HTTP", "allocations", "CPU-µs"]
        return """
            The login in each pattern, counted in its sources. Lines are lines of code, without comments. \
            Allocations are
            those of one login, which the program Allocations checks. The time of the processor for one login, without
            sockets and trace, was measured now: \(date), \(machine).

            \(table([head] + rows))
            """
    }

    private static func row(_ figures: LoginFigures, _ nanoseconds: Int) -> [String] {
        [
            figures.pattern.name, "\(figures.files)", "\(figures.lines)", figures.ratio, "\(figures.protocols)",
            "\(figures.rolesWithoutHTTP) of \(figures.roles)",
            RequestFigures.of(figures.pattern).map { "\($0.allocations)" } ?? "", microseconds(nanoseconds),
        ]
    }

    /// With one decimal.
    static func microseconds(_ nanoseconds: Int) -> String { "\(nanoseconds / 1000).\(nanoseconds % 1000 / 100)" }

    /// Columns of one width, the first to the left and the others to the right.
    private static func table(_ rows: [[String]]) -> String {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + space : space + cell.0
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
