import Glibc

@testable import Roost

/// Memory followed by a page that nothing may touch: a message is placed right before that page, so that reading one
/// byte too many is always a fault.
final class GuardedPage {
    private let bytes: MessageBytes
    private let guarded: UnsafeMutableRawPointer
    private static let size = 4096

    init() {
        bytes = MessageBytes(capacity: 4 * Self.size)
        guarded = UnsafeMutableRawPointer(bytes.base + 2 * Self.size).alignedUp(toMultipleOf: Self.size)
        protect(PROT_NONE)
    }

    deinit { protect(PROT_READ | PROT_WRITE) }

    private func protect(_ access: Int32) {
        let result = mprotect(guarded, Self.size, access)
        precondition(result == 0, "mprotect failed")
    }

    /// Reads a message of at most one page.
    func read(_ message: [UInt8]) -> Outcome {
        let end = UnsafeRawPointer(bytes.base).distance(to: UnsafeRawPointer(guarded))
        bytes.count = end - message.count
        var wire = Wire(bytes, from: bytes.count)
        var outcome = wire.receive(message[...])
        if case .complete(var whole) = outcome {
            whole.end -= end - message.count
            outcome = .complete(whole)
        }
        return outcome
    }
}
