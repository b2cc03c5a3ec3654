import Synchronization

/// The newest renderings of a live page, each for all who see the same: when a thousand viewers ask for it after one
/// event, it is made once.
final class SharedRenderings: Sendable {
    /// The facts that two requests for one rendering have in common: who sees the same, and the events in it.
    struct Key: Hashable {
        let target, host, group, accept, language: ExactText
        let ids: [Int]
    }

    private enum Entry {
        case making
        case made(Response, ContinuousClock.Instant)
    }

    /// The end of a rendering that others wait for.
    private enum Outcome {
        case made(Response)
        /// It failed, or is not to be shared: whoever waits for it makes its own, and not one after the other.
        case notShared
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// Those who wait for one that is being made, each with its number.
        var waiting: [Key: [Int: AsyncStream<Outcome>.Continuation]] = [:]
        /// The number of waits so far.
        var waits = 0

        mutating func removeOld(_ now: ContinuousClock.Instant) {
            entries = entries.filter {
                if case .made(_, let time) = $0.value { time.duration(to: now) < age } else { true }
            }
        }
    }

    /// A rendering is given out no longer than this: a page may show the time.
    private static let age = Duration.seconds(1)
    private static let maximumCount = 64
    private static let maximumSize = 256 * 1024

    private let state = Mutex(State())
    private let time = TimeSource.current

    private enum Turn {
        case take(Response)
        /// The stream ends without an outcome if whoever makes it leaves before it is there, or whoever waits does.
        case wait(Int, AsyncStream<Outcome>)
        case make
        case alone
    }

    /// The response that there is, or that somebody makes right now, or that `make` makes.
    func response(_ key: Key, make: () async throws -> Response) async throws -> Response {
        while true {
            switch turn(key) {
            case .take(let response): return response
            case .alone: return try await make()
            case .make: return try await share(key, make)
            case .wait(let number, let outcomes):
                let outcome = await outcomes.first { _ in true }
                if case .made(let response) = outcome { return response }
                state.withLock { $0.waiting[key]?[number] = nil }
                try Task.checkCancellation()
                if case .notShared = outcome { return try await make() }
            }
        }
    }

    /// The number of requests that wait for a rendering that is being made.
    func waiting(for key: Key) -> Int { state.withLock { $0.waiting[key]?.count ?? 0 } }

    private func turn(_ key: Key) -> Turn {
        let now = time.instant()
        return state.withLock { state in
            switch state.entries[key] {
            case .made(let response, let time) where time.duration(to: now) < Self.age: return .take(response)
            case .making:
                let (outcomes, waiter) = AsyncStream<Outcome>.makeStream()
                state.waits += 1
                state.waiting[key, default: [:]][state.waits] = waiter
                return .wait(state.waits, outcomes)
            default:
                if state.entries.count >= Self.maximumCount { state.removeOld(now) }
                guard state.entries.count < Self.maximumCount else { return .alone }
                state.entries[key] = .making
                return .make
            }
        }
    }

    private func share(_ key: Key, _ make: () async throws -> Response) async throws -> Response {
        do {
            let response = try await make()
            end(key, response.canBeShared(upTo: Self.maximumSize) ? .made(response) : .notShared)
            return response
        } catch {
            end(key, error.endsCancelledTask ? nil : .notShared)
            throw error
        }
    }

    private func end(_ key: Key, _ outcome: Outcome?) {
        let now = time.instant()
        let waiting = state.withLock { state in
            state.removeOld(now)
            state.entries[key] = nil
            if case .made(let response) = outcome { state.entries[key] = .made(response, now) }
            return state.waiting.removeValue(forKey: key) ?? [:]
        }
        for waiter in waiting.values {
            if let outcome { waiter.yield(outcome) }
            waiter.finish()
        }
    }
}

extension Response {
    /// Whether it is the same for everybody: a page in memory, without a cookie.
    fileprivate func canBeShared(upTo size: Int) -> Bool {
        status == .ok && headers[.contentType]?.hasPrefix("text/html") ?? false && !body.isStream
            && body.count.map { $0 <= size } ?? false && headers[.setCookie] == nil
    }
}
