import Synchronization

/// A value that others can follow, like SwiftUI's `@Published`, Android's `LiveData` and `StateFlow`, or Vue's `data`.
package final class Observed<Value: Equatable & Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value
        var followers: [Int: AsyncStream<Value>.Continuation] = [:]
        var lastFollower = 0
        var isFinished = false
    }

    private let state: Mutex<State>

    package init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// The value now.
    package var value: Value { state.withLock { $0.value } }

    /// Changes the value, and tells all who follow if it is another one then.
    package func change<Result: Sendable>(_ change: (inout Value) -> Result) -> Result {
        state.withLock { state in
            let old = state.value
            let result = change(&state.value)
            guard state.value != old else { return result }
            for follower in state.followers.values { follower.yield(state.value) }
            return result
        }
    }

    /// The value now, and then every other one that it takes. Of those that have not been read yet, 16 are kept.
    package func values() -> AsyncStream<Value> {
        let (stream, follower) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(16))
        let number = state.withLock { state in
            follower.yield(state.value)
            guard !state.isFinished else { return 0 }
            state.lastFollower += 1
            state.followers[state.lastFollower] = follower
            return state.lastFollower
        }
        if number == 0 {
            follower.finish()
        } else {
            follower.onTermination = { [weak self] _ in self?.leave(number) }
        }
        return stream
    }

    /// Ends for all who follow.
    package func finish() {
        let followers = state.withLock { state in
            defer { state.followers = [:] }
            state.isFinished = true
            return Array(state.followers.values)
        }
        for follower in followers { follower.finish() }
    }

    /// The number of followers.
    package var followerCount: Int { state.withLock { $0.followers.count } }

    private func leave(_ number: Int) {
        state.withLock { _ = $0.followers.removeValue(forKey: number) }
    }
}
