/// The cause of a failed call on a ``Socket``.
///
/// The socket knows the cause, and its caller knows what it was waiting for; ``HTTPClientError`` combines both.
enum SocketFailure: Error {
    case timedOut(after: Duration)
    /// The peer sent RST, or no longer reads.
    case reset
    /// This side has closed the connection.
    case closedHere
    case systemCall(String, errno: Int32)
}
