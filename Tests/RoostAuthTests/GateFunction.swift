import Roost
import RoostAuth
import Synchronization

/// Blocks whoever compares a password until a test opens it, and counts how many are in it at a time.
final class GateFunction: PasswordFunction {
    private let state = Mutex((inside: 0, most: 0))
    private let places = CountingSemaphore()

    func hash(_ password: String) throws -> String { "" }

    func verify(_ password: String, against hash: String) -> Bool {
        state.withLock { $0 = ($0.inside + 1, max($0.most, $0.inside + 1)) }
        places.wait()
        state.withLock { $0.inside -= 1 }
        return true
    }

    func isOutdated(_ hash: String) -> Bool { false }
    func decoy(beside hash: String?) -> String? { hash == nil ? "" : nil }

    /// Lets the next hundred through.
    func open() {
        for _ in 0..<100 { places.post() }
    }

    /// The greatest number of calls in it at a time.
    var most: Int { state.withLock { $0.most } }
}
