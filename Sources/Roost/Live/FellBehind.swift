/// A subscriber has been so slow that the topic no longer keeps the next event. It may subscribe again, and is then
/// told that it has missed something.
public struct FellBehind: Error, CustomStringConvertible {
    /// A sentence that says what has happened.
    public var description: String { "A subscriber has fallen behind what its topic keeps." }
}
