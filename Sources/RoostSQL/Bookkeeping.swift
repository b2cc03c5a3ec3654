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
        /// The task that makes the writes; nil while there are none.
        var task: Task<Void, Never>?
    }

    /// The most writes that may wait; more are dropped.
    private static let maximumCount = 1000

    package init(_ database: Database) { self.database = database }

    /// Makes a write soon.
    /// - Parameter key: The name of its subject: a later write with the same key replaces one that waits.
    package func note(_ sql: SQL, about key: String) {
        state.withLock { state in
            guard state.writes.count < Self.maximumCount || state.writes[ExactText(key)] != nil else { return }
            state.writes[ExactText(key)] = sql
            // Not on an event loop, which may end before, and in no transaction, even if this task is in one.
            if state.task == nil { state.task = Task.detached { [self] in await write() } }
        }
    }

    /// Returns once everything that has been noted is written or dropped.
    package func settle() async { await state.withLock { $0.task }?.value }

    private func write() async {
        while let writes = next() {
            // Always in the same order, so that two instances do not wait for each other's rows.
            let list = writes.sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }.map(\.value)
            try? await database.batch(list)
        }
    }

    /// Takes the writes to be made now; nil when there are none, and the task ends.
    private func next() -> [ExactText: SQL]? {
        state.withLock { state in
            guard !state.writes.isEmpty else {
                state.task = nil
                return nil
            }
            defer { state.writes = [:] }
            return state.writes
        }
    }
}
