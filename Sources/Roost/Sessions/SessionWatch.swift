import Synchronization

// Event streams and WebSockets end with the session that opened them. A session that is ended in this process ends them
// at once (`LastingVisits`). One that is ended by another instance, or by its time, is noticed by asking the store now
// and then: that is a query for each open stream, so not more often.

/// Waits for the end of the session that has opened an event stream or a WebSocket.
struct SessionWatch: Sendable {
    /// The maximum time that a stream outlives a session that has been ended by another instance, or by its time.
    static let interval = Duration.seconds(10)

    let store: any SessionStore
    let token: String
    /// The owner of the session, if it has one.
    let owner: String?
    /// Waits until the store is asked again.
    var pause: @Sendable () async throws -> Void = { try await Task.sleep(for: interval) }

    /// Calls a function when the session has ended; returns when its own task is cancelled.
    func callAsFunction(_ end: @escaping @Sendable () async -> Void) async {
        let visit = LastingVisits.process.enter(Session.id(of: Session.digest(ofToken: token)), owner) {
            Task { await end() }
        }
        defer { LastingVisits.process.leave(visit) }
        // First at once: it may have ended since the request was let in. While the store cannot be asked, nobody can
        // end the session.
        repeat {
            if (try? await store.isAlive(token)) == false { return await end() }
        } while (try? await pause()) != nil
    }
}

/// The event streams and WebSockets of this process that sessions have opened.
package final class LastingVisits: Sendable {
    package static let process = LastingVisits()

    private struct State {
        var visits: [Int: (session: String, owner: String?, end: @Sendable () -> Void)] = [:]
        var bySession: [String: Set<Int>] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    /// - Parameter session: The session's id (``Session/id``).
    func enter(_ session: String, _ owner: String?, end: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.last += 1
            state.visits[state.last] = (session, owner, end)
            state.bySession[session, default: []].insert(state.last)
            return state.last
        }
    }

    func leave(_ visit: Int) {
        state.withLock { state in
            guard let session = state.visits.removeValue(forKey: visit)?.session else { return }
            state.bySession[session]?.remove(visit)
            if state.bySession[session]?.isEmpty ?? false { state.bySession[session] = nil }
        }
    }

    /// A session has ended: so do the streams that it has opened.
    package func end(_ session: String) {
        let ends = state.withLock { state in (state.bySession[session] ?? []).compactMap { state.visits[$0]?.end } }
        for end in ends { end() }
    }

    /// The sessions of an owner have ended, but for one.
    package func endAll(of owner: String, except session: String?) {
        let ends = state.withLock { state in
            state.visits.values.filter { visit in
                visit.owner.map(ExactText.init) == ExactText(owner) && visit.session != session
            }.map(\.end)
        }
        for end in ends { end() }
    }
}
