internal import CPostgres
import Logging
import Roost
import Synchronization

/// Warns once when a password is sent to a server that nobody has verified, so that anybody on the way could pretend to
/// be it. libpq's default (`sslmode=prefer`) verifies no certificate, and falls back to no encryption at all.
final class PasswordWarning: Sendable {
    private let isGiven = Atomic(false)

    /// Looks at an attempt to open a session, whether it succeeded or not.
    func check(_ handle: OpaquePointer, _ logger: Logger) {
        guard PQconnectionUsedPassword(handle) == 1, PQgssEncInUse(handle) == 0 else { return }
        let address = PQhostaddr(handle).map { String(cString: $0) } ?? ""
        let mode = Self.mode(handle)
        guard Self.isExposed(address: address, mode: mode), !isGiven.exchange(true, ordering: .relaxed) else { return }
        logger.warning(
            """
            The password goes to PostgreSQL at \(address), and nothing proves that it is the right server \
            (sslmode=\(mode)): add sslmode=verify-full and sslrootcert=FILE to DATABASE_URL.
            """
        )
    }

    /// Whether a password could be intercepted.
    /// - Parameters:
    ///   - address: A numeric address; empty for a socket on this machine.
    ///   - mode: libpq's `sslmode`.
    static func isExposed(address: String, mode: String) -> Bool {
        mode != "verify-full" && mode != "verify-ca" && !address.isEmpty && IPAddress(address)?.isLoopback != true
    }

    /// The mode in effect, after the environment and a service file.
    private static func mode(_ handle: OpaquePointer) -> String {
        guard let options = PQconninfo(handle) else { return "" }
        defer { PQconninfoFree(options) }
        return ConnectionParameters.values(options)["sslmode"] ?? ""
    }
}
