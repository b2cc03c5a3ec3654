/// The error of a wait whose deadline passed first.
public struct DeadlinePassed: Error, Sendable, CustomStringConvertible {
    /// A sentence that says what has happened.
    public var description: String { "The deadline passed before the awaited event happened." }
}
