import Glibc
import Roost

/// Makes and compares hashes of passwords, off the event loops: on a few threads, with a bounded queue before them.
///
/// The threads have a lower priority than the loops, so that a flood of sign-ins slows down nothing but itself. Each
/// uses the memory of one hash, so all of them together use a known amount.
public final class Passwords: Sendable {
    private let function: any PasswordFunction
    private let pool: BlockingPool
    /// The rules for the passwords that accounts may have.
    public let policy: PasswordPolicy

    /// The amount by which the threads' priority is lower (`nice`).
    private static let niceness: Int32 = 10

    /// The result of a comparison.
    public enum Comparison: Sendable, Equatable {
        /// It is another password.
        case different
        /// It is the password.
        case same
        /// It is the password, and this is a new hash of it, with today's parameters.
        case outdated(String)
    }

    /// - Parameters:
    ///   - threads: The most hashes that are made at a time; by default, one for each core but one, from 1 to 4.
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
        pool = BlockingPool(maximumThreads: threads, maximumQueue: maximumQueue)
    }

    deinit { pool.stop() }

    /// The hash of a new password, to be stored.
    /// - Parameter email: The address of the account.
    /// - Throws: ``InvalidPassword`` for one that the policy refuses; ``HTTPError`` with 503 when too many wait.
    public func hash(_ password: String, of email: String? = nil) async throws -> String {
        try policy.check(password, of: email)
        let function = function
        return try await run { try function.hash(password) }
    }

    /// Compares a password with a stored hash. To say no takes as much work without a hash, and with one that has old
    /// parameters, as with one that is made now.
    /// - Parameter hash: Nil for an account that does not exist, or cannot sign in.
    /// - Throws: ``HTTPError`` with 503 when too many wait.
    public func compare(_ password: String, with hash: String?) async throws -> Comparison {
        let function = function
        // No account has a longer password; what is compared then takes as long as any other.
        let isTooLong = password.utf8.count > 4 * PasswordPolicy.maximumLength
        return try await run {
            let isSame = hash.map { function.verify(isTooLong ? "" : password, against: $0) } ?? false
            guard isSame, !isTooLong, let hash else {
                if let decoy = function.decoy(beside: hash) { _ = function.verify("", against: decoy) }
                return .different
            }
            guard function.isOutdated(hash), let new = try? function.hash(password) else { return .same }
            return .outdated(new)
        }
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
