import RoostAuth
import Synchronization

/// Argon2id with the least parameters, which counts the work: passes over memory, in KiB.
final class CountingFunction: PasswordFunction {
    private let function: Argon2id
    private let counts = Mutex((hashes: 0, comparisons: [String]()))

    init(memory: Int = 8, passes: Int = 1) { function = Argon2id(memory: memory, passes: passes) }

    func hash(_ password: String) throws -> String {
        counts.withLock { $0.hashes += 1 }
        return try function.hash(password)
    }

    func verify(_ password: String, against hash: String) -> Bool {
        counts.withLock { $0.comparisons.append(hash.split(separator: "$").prefix(3).joined(separator: "$")) }
        return function.verify(password, against: hash)
    }

    func isOutdated(_ hash: String) -> Bool { function.isOutdated(hash) }
    var decoy: String { function.decoy }

    /// How many hashes were made.
    var hashes: Int { counts.withLock { $0.hashes } }
    /// The parameters of each hash that a password was compared with.
    var comparisons: [String] { counts.withLock { $0.comparisons } }
}
