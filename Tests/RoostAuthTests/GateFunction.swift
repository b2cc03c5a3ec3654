import Glibc
import RoostAuth
import Synchronization

/// Blocks whoever compares a password until a test opens it, and counts how many are in it at a time.
final class GateFunction: PasswordFunction {
    private let state = Mutex((inside: 0, most: 0))
    private let ends: (read: Int32, write: Int32)

    init() {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        self.ends = (ends[0], ends[1])
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    func hash(_ password: String) throws -> String { "" }

    func verify(_ password: String, against hash: String) -> Bool {
        state.withLock { $0 = ($0.inside + 1, max($0.most, $0.inside + 1)) }
        var byte: UInt8 = 0
        _ = read(ends.read, &byte, 1)
        state.withLock { $0.inside -= 1 }
        return true
    }

    func isOutdated(_ hash: String) -> Bool { false }
    func decoy(beside hash: String?) -> String? { hash == nil ? "" : nil }

    /// Lets the next hundred through.
    func open() {
        let bytes = [UInt8](repeating: 0, count: 100)
        _ = write(ends.write, bytes, bytes.count)
    }

    /// The greatest number of calls in it at a time.
    var most: Int { state.withLock { $0.most } }
}
