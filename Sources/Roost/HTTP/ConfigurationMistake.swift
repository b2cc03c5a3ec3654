/// A mistake by the programmer that stops the program from starting: what, where, and what to do.
public struct ConfigurationMistake: Error, Sendable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    init(_ description: String) { self.description = description }
}
