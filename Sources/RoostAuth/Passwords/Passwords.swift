import Glibc
import Roost

/// A hasher of passwords that works off the event loops: on a few threads, with a bounded queue.
///
/// The threads have a lower priority than the loops, so that a flood of sign-ins slows down nothing but itself. Each
/// uses the memory of one hash, so all of them together use a known amount.
public final class Passwords: Sendable {
    private let function: any PasswordFunction
    private let pool: BlockingPool
    /// The rules for the passwords that accounts may have.
    let policy: PasswordPolicy

    /// The amount by which the threads' priority is lower (`nice`).
    private static let niceness: Int32 = 10

    /// The result of a comparison.
    public enum Comparison: Sendable, Equatable {
        /// The password is wrong.
        case different
        /// The password is right.
        case same
        /// The password is right; the value is a new hash of it, with today's parameters.
        case outdated(String)
    }

    /// Creates a hasher, whose threads start when they are needed.
    /// - Parameters:
    ///   - threads: The most hashes computed at a time, at least 1; by default, the number of cores less one, from 1 to
    ///     4.
    ///   - maximumQueue: The most callers that may wait for a thread.
    public init(
        _ function: any PasswordFunction = Argon2id(),
        policy: PasswordPolicy = PasswordPolicy(),
        threads: Int? = nil,
        maximumQueue: Int = 64
    ) {
        self.function = function
        self.policy = policy
        let threads = threads ?? min(4, max(1, ServerConfiguration().workers - 1))
        pool = BlockingPool(maximumThreads: max(1, threads), maximumQueue: maximumQueue)
    }

    deinit { pool.stop() }

    /// Returns the hash of a new password, to be stored.
    /// - Parameter email: The address of the account.
    /// - Throws: ``InvalidPassword`` for one that the policy refuses; ``HTTPError`` with 503 when too many wait.
    public func hash(_ password: String, of email: String? = nil) async throws -> String {
        try policy.check(password, of: email)
        let function = function
        return try await run { try function.hash(password) }
    }

    /// Compares a password with a stored hash. A wrong password takes the same work whether the account has a new
    /// hash, an old one or none. A hash that asks for far too much work counts as none: meanwhile nobody else could
    /// sign in.
    /// - Parameter hash: Nil for an account that does not exist, or cannot sign in.
    /// - Throws: ``HTTPError`` with 503 when too many wait; an error when the system lacks memory.
    public func compare(_ password: String, with hash: String?) async throws -> Comparison {
        let function = function
        let hash = hash.flatMap { isTooCostly($0) ? nil : $0 }
        // No account has a longer password; what is compared then takes as long as any other.
        let isTooLong = password.utf8.count > 4 * PasswordPolicy.maximumLength
        return try await run {
            let isSame = try hash.map { try function.compare(isTooLong ? "" : password, with: $0) } ?? false
            guard isSame, !isTooLong, let hash else {
                if let decoy = function.decoy(beside: hash) { _ = try function.compare("", with: decoy) }
                return .different
            }
            guard function.isOutdated(hash), let new = try? function.hash(password) else { return .same }
            return .outdated(new)
        }
    }

    /// The KiB of memory, times passes, that any hash may ask for: four times libsodium's most sensitive ones.
    private static let greatestWork = 16 << 20

    /// Whether a hash, which another program may have made, asks for too much work to be compared.
    func isTooCostly(_ hash: String) -> Bool {
        guard let asked = Argon2Parameters(hash), let own = function.decoy(beside: nil).flatMap(Argon2Parameters.init)
        else { return false }
        let (work, isOverflow) = asked.memory.multipliedReportingOverflow(by: asked.passes)
        return isOverflow || work > max(Self.greatestWork, 64 * own.memory * own.passes)
    }

    private func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        do {
            return try await pool.run {
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)  // of this thread only
                return try work()
            }
        } catch is BlockingPool.IsFull {
            throw HTTPError(
                .serviceUnavailable, "Too many people are signing in. Try again soon.", headers: [.retryAfter: "2"])
        }
    }
}

/// A function that hashes passwords for storage. Its methods block for tens of milliseconds: ``Passwords`` runs them
/// off the event loops.
public protocol PasswordFunction: Sendable {
    /// Returns the hash of a password, with a new salt and the parameters, as a PHC string.
    /// - Throws: An error when the system lacks memory.
    func hash(_ password: String) throws -> String
    /// Returns whether a hash is that of a password; false, with `errno` at `ENOMEM`, when the system lacks memory.
    func verify(_ password: String, against hash: String) -> Bool
    /// Returns whether a hash was made with weaker parameters than these.
    func isOutdated(_ hash: String) -> Bool
    /// Returns a hash that matches no password, to make up for a cheaper comparison: comparing with both it and the
    /// stored hash takes as much work as comparing with a new one. Nil if the stored hash takes that much by itself.
    /// - Parameter hash: A stored hash, perhaps with other parameters; nil for none, which takes no work.
    func decoy(beside hash: String?) -> String?
}

extension PasswordFunction {
    /// Compares a password with a hash. Without memory, the password may be right.
    fileprivate func compare(_ password: String, with hash: String) throws -> Bool {
        errno = 0
        if verify(password, against: hash) { return true }
        if errno == ENOMEM { throw PasswordHashError() }
        return false
    }
}

/// The error for a password that could not be hashed, because the system has too little memory.
struct PasswordHashError: Error, CustomStringConvertible {
    /// The error in one sentence.
    var description: String { "A password could not be hashed: the system has too little memory." }
}
