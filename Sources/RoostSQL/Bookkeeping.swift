import Roost
import Synchronization

/// Writes for which nobody waits, such as the time at which a session was last used.
///
/// A request goes on at once, whatever keeps the database from writing meanwhile. One task at a time makes all that
/// have come, in one transaction. A write that has not been made yet is replaced by the next one with its key; one that
/// fails is dropped, and told only in the database's log, at level `debug`.
package final class Bookkeeping: Sendable {
    private let database: Database
    private let state = Mutex(State())

    private struct State {
        var writes: [ExactText: SQL] = [:]
        var isBusy = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// The most writes that may wait; more are dropped.
    private static let maximumCount = 1000

    package init(_ database: Database) { self.database = database }

    /// Makes a write soon.
    /// - Parameter key: The name of its subject: a later write with the same key replaces one that waits.
    package func note(_ sql: SQL, about key: String) {
        let begins = state.withLock { state in
            guard state.writes.count < Self.maximumCount || state.writes[ExactText(key)] != nil else { return false }
            state.writes[ExactText(key)] = sql
            defer { state.isBusy = true }
            return !state.isBusy
        }
        // Not on an event loop, which may end before, and in no transaction, even if this task is in one.
        if begins { Task.detached { [self] in await write() } }
    }

    /// Returns once everything that has been noted is written or dropped.
    package func settle() async {
        await withCheckedContinuation { continuation in
            let isSettled = state.withLock { state in
                if state.isBusy { state.waiting.append(continuation) }
                return !state.isBusy
            }
            if isSettled { continuation.resume() }
        }
    }

    private func write() async {
        while let writes = next() {
            // Always in the same order, so that two instances do not wait for each other's rows.
            let list = writes.sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }.map(\.value)
            try? await database.batch(list)
        }
    }

    /// Takes the writes to be made now. When there are none, resumes all who wait in ``settle()``, and returns nil.
    private func next() -> [ExactText: SQL]? {
        let (writes, waiting) = state.withLock { state in
            defer { state.writes = [:] }
            guard state.writes.isEmpty else { return (state.writes, [CheckedContinuation<Void, Never>]()) }
            state.isBusy = false
            defer { state.waiting = [] }
            return ([:], state.waiting)
        }
        for continuation in waiting { continuation.resume() }
        return writes.isEmpty ? nil : writes
    }
}
