/// A mistake of the programmer that ends the start: what, where, and what to do.
public struct ConfigurationMistake: Error, Sendable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    init(_ description: String) { self.description = description }
}
