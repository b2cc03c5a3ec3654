import Glibc
import Synchronization

/// A file descriptor that several threads use, and that any of them may close.
///
/// The kernel reuses a closed number for the next `open`. If it were closed under a thread that is about to read, the
/// thread would read from another file. Here the number is closed at once if nobody uses it, otherwise by its last
/// user.
final class SharedDescriptor: Sendable {
    private struct State {
        var users = 0
        var isClosed = false
    }

    private let number: Int32
    private let state = Mutex(State())

    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        close()
    }

    /// Calls `body` with the number, which stays valid until `body` returns.
    ///
    /// - Throws: Any error of `body`, or ``SocketFailure/closedHere`` when ``close()`` came before or meanwhile.
    func use<Value>(_ body: (Int32) throws -> Value) throws -> Value {
        try state.withLock { state in
            guard !state.isClosed else { throw SocketFailure.closedHere }
            state.users += 1
        }
        let outcome = Result { try body(number) }
        if release() { throw SocketFailure.closedHere }
        return try outcome.get()
    }

    /// Closes the descriptor; a call that is waiting on it ends.
    func close() {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            if state.users == 0 {
                _ = Glibc.close(number)
            } else {
                _ = shutdown(number, Int32(SHUT_RDWR))  // wakes the waiting thread, which then closes
            }
        }
    }

    /// Ends one use; true when the descriptor was closed during it.
    private func release() -> Bool {
        state.withLock { state in
            state.users -= 1
            if state.isClosed, state.users == 0 { _ = Glibc.close(number) }
            return state.isClosed
        }
    }
}
