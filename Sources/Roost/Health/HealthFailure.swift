/// Why a check failed, in words for the log.
public struct HealthFailure: Error, CustomStringConvertible {
    /// The sentence.
    public let description: String

    /// A failure with a sentence.
    public init(_ description: String) { self.description = description }
}
