import RoostAuth
import Synchronization

/// Argon2id with the least parameters, which counts the work: passes over memory, in KiB.
final class CountingFunction: PasswordFunction {
    private let function: Argon2id
    private let counts = Mutex((hashes: 0, comparisons: [String]()))

    private let next = Mutex<(@Sendable () -> Void)?>(nil)

    init(memory: Int = 8, passes: Int = 1) { function = Argon2id(memory: memory, passes: passes) }

    func hash(_ password: String) throws -> String {
        counts.withLock { $0.hashes += 1 }
        return try function.hash(password)
    }

    func verify(_ password: String, against hash: String) -> Bool {
        counts.withLock { $0.comparisons.append(hash.split(separator: "$").prefix(3).joined(separator: "$")) }
        let isSame = function.verify(password, against: hash)
        next.withLock { $0.take() }?()
        return isSame
    }

    func isOutdated(_ hash: String) -> Bool { function.isOutdated(hash) }
    func decoy(beside hash: String?) -> String? { function.decoy(beside: hash) }

    /// Has something happen while the next password is compared: after it was, but before anybody knows.
    func meanwhile(_ body: @escaping @Sendable () -> Void) { next.withLock { $0 = body } }

    /// The number of hashes made.
    var hashes: Int { counts.withLock { $0.hashes } }
    /// The work of all comparisons together: KiB times passes.
    var work: Int {
        comparisons.reduce(0) { sum, parameters in
            let numbers = parameters.split { !$0.isNumber }.compactMap { Int($0) }.suffix(3)
            return sum + (numbers.first ?? 0) * (numbers.dropFirst().first ?? 0)
        }
    }
    /// The parameters of each hash that a password was compared with.
    var comparisons: [String] { counts.withLock { $0.comparisons } }
}
