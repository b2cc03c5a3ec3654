/// Why a call on a ``Socket`` did not do what was asked of it.
///
/// The socket knows the cause, its caller knows what it was waiting for, and ``HTTPClientError`` is made of both.
enum SocketFailure: Error {
    case timedOut(after: Duration)
    /// The peer sent RST, or no longer reads.
    case reset
    /// This side has closed the connection.
    case closedHere
    case systemCall(String, errno: Int32)
}
