/// The report that `/health/ready` gives.
struct HealthReport: Encodable, Sendable {
    /// The state of the whole.
    enum Status: String, Encodable, Sendable {
        case ready, starting, draining, unavailable
    }

    /// The state of one check.
    enum State: String, Encodable, Sendable {
        case ok, failed
        /// The check has taken longer than its timeout.
        case late
    }

    var status: Status
    var checks: [String: State] = [:]
    /// The errors of the checks that have failed, by their names; left out in production.
    var errors: [String: String]?
}
