/// For how long jobs have been due, by their queues; those that are paused are missing.
struct JobAges: Sendable {
    /// The age of the oldest job of a type that this program knows.
    var known: [String: Duration] = [:]
    /// The age of the oldest job of all, where that is of another type.
    var unknown: [String: Duration] = [:]
}
