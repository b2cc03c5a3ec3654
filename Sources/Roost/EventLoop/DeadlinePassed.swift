/// The error of a wait whose deadline passed first.
public struct DeadlinePassed: Error, Sendable, CustomStringConvertible {
    /// What has happened.
    public var description: String { "The deadline passed before the awaited event happened." }
}
