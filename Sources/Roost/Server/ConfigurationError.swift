/// A mistake in the configuration: the program stops at its start, with this sentence and exit code 78 (`EX_CONFIG`).
public struct ConfigurationError: Error, Sendable, CustomStringConvertible {
    /// What is wrong, where, and what to do.
    public let description: String

    /// An error with one sentence for the person who starts the program.
    public init(_ description: String) { self.description = description }
}

/// The server cannot start although its configuration is right, for instance because its port is taken: exit code 1.
public struct StartError: Error, Sendable, CustomStringConvertible {
    /// What is wrong, and what to do.
    public let description: String

    init(_ description: String) { self.description = description }
}
