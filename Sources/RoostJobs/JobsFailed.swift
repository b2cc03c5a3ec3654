/// The jobs that have failed in a test.
public struct JobsFailed: Error, Sendable, CustomStringConvertible {
    /// Each job's name, number and error.
    public let failures: [String]
    /// All of them in one line.
    public var description: String { failures.joined(separator: "; ") }
}
