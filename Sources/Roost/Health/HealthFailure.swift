/// An error that says in a sentence for the log why a check failed.
public struct HealthFailure: Error, CustomStringConvertible {
    /// The sentence.
    public let description: String

    /// A failure with a sentence.
    public init(_ description: String) { self.description = description }
}
