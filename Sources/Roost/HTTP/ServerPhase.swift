/// How far a server is, from the first of its services to the last of its connections.
public enum ServerPhase: UInt8, Sendable {
    /// Services start, or nothing listens yet.
    case starting
    /// It accepts connections.
    case serving
    /// A signal has come: no more work is wanted.
    case draining
}
