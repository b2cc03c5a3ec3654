/// The phase of a server's life, from the start of its first service to the end of its last connection.
public enum ServerPhase: UInt8, Sendable {
    /// Services start, or nothing listens yet.
    case starting
    /// It accepts connections.
    case serving
    /// A signal has come: no more work is wanted.
    case draining
}
