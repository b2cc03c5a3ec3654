import Glibc

/// A failure that leaves the HTTP client without a response: one sentence in ``description``, with the bytes that did
/// arrive.
public enum WireClientError: Error, Equatable {
    /// No program listens there, or the host is unknown.
    case cannotConnect(to: String, reason: String)
    /// The operation took too long.
    case timedOut(after: Duration, waitingFor: String, received: [UInt8])
    /// The peer closed its side before everything had arrived.
    case closed(waitingFor: String, received: [UInt8])
    /// The peer sent RST.
    case reset(waitingFor: String, received: [UInt8])
    /// The bytes are not a valid response (RFC 9112).
    case malformed(String, received: [UInt8])
    /// The test has closed or reset the connection.
    case closedHere
    /// A system call failed in a way that no peer can cause.
    case systemCall(String, errno: Int32)

    /// Combines what the socket met with what its caller was waiting for.
    init(_ failure: any Error, waitingFor purpose: String, received: [UInt8]) {
        switch failure {
        case SocketFailure.timedOut(let timeout):
            self = .timedOut(after: timeout, waitingFor: purpose, received: received)
        case SocketFailure.reset: self = .reset(waitingFor: purpose, received: received)
        case SocketFailure.closedHere: self = .closedHere
        case SocketFailure.systemCall(let name, let number): self = .systemCall(name, errno: number)
        case let error as WireClientError: self = error
        default: self = .systemCall("\(failure)", errno: 0)
        }
    }
}

extension WireClientError: CustomStringConvertible {
    /// One sentence with what happened, what was waited for, and the bytes that arrived.
    public var description: String {
        switch self {
        case .cannotConnect(let address, let reason): "cannot connect to \(address): \(reason)"
        case .timedOut(let timeout, let purpose, let received):
            "timed out after \(Self.seconds(timeout)) waiting for \(purpose); \(Self.excerpt(received))"
        case .closed(let purpose, let received):
            "the peer closed the connection before \(purpose) was complete; \(Self.excerpt(received))"
        case .reset(let purpose, let received):
            "the peer reset the connection, waiting for \(purpose); \(Self.excerpt(received))"
        case .malformed(let problem, let received): "malformed response: \(problem); \(Self.excerpt(received))"
        case .closedHere: "this side has closed the connection"
        case .systemCall(let name, let number): "\(name) failed: \(String(cString: strerror(number)))"
        }
    }

    private static func seconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return attoseconds == 0 ? "\(seconds) s" : "\(Double(seconds) + Double(attoseconds) / 1e18) s"
    }

    /// `received so far: "…"`, with at most 600 bytes and everything that does not print escaped.
    private static func excerpt(_ bytes: [UInt8]) -> String {
        guard !bytes.isEmpty else { return "nothing received so far" }
        let limit = 600
        let shown = bytes.prefix(limit).map(escaped).joined()
        let rest = bytes.count > limit ? "… (\(bytes.count) bytes)" : ""
        return "received so far: \"\(shown)\"\(rest)"
    }

    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\r"): "\\r"
        case UInt8(ascii: "\n"): "\\n"
        case UInt8(ascii: "\t"): "\\t"
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): "\\\(Character(Unicode.Scalar(byte)))"
        case 0x20...0x7E: String(Unicode.Scalar(byte))
        case 0x00...0x0F: "\\x0\(String(byte, radix: 16))"
        default: "\\x\(String(byte, radix: 16))"
        }
    }
}
