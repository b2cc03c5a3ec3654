/// The count of refused messages that a loop has logged in this second, and its limit: a log that grows with every
/// malformed byte would be another way to fill a disk.
struct RefusalLog {
    private var logged = 0
    private var withheld = 0

    /// The most in one second.
    static let limit = 10

    /// Whether one more may be logged.
    mutating func admit() -> Bool {
        if logged < Self.limit {
            logged += 1
            return true
        }
        withheld += 1
        return false
    }

    /// A second has passed; returns how many were not logged in it.
    mutating func takeWithheld() -> Int {
        defer { self = RefusalLog() }
        return withheld
    }
}
