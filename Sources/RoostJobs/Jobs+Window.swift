package import Roost

/// The page of jobs in the window of development.
extension Jobs: WindowPart {
    /// `Jobs`.
    package var windowTitle: String { "Jobs" }

    /// The jobs in the table, without their payloads: dead ones first, then those that are due first.
    package func windowRows() async throws -> [WindowPartRow] {
        try await JobRecords(database).list(nil, limit: 200).map { job in
            let due = job.due.map { $0 <= 0 ? "due" : "due in \($0 / 1000) s" } ?? "not due"
            return WindowPartRow(
                "\(job.id) \(job.name)", "\(job.queue), \(job.state), \(due), try \(job.attempt)", warning: job.error)
        }
    }
}
