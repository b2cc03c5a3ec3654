import Synchronization

/// The newest renderings of a live page, each for all who see the same: when a thousand viewers ask for it after one
/// event, it is made once.
final class SharedRenderings: Sendable {
    /// The facts that two requests for one rendering have in common: who sees the same, and the events in it.
    struct Key: Hashable {
        let target, host, group, accept, language: ExactText
        let ids: [Int]
    }

    private struct Entry {
        /// The rendering, and the time at which it was made; nil while somebody makes it.
        var made: (response: Response, time: ContinuousClock.Instant)?
        /// Those who wait for it, each with its number. They get nil if it fails or is not to be shared: each makes its
        /// own then, and not one after the other.
        var waiting: [Int: AsyncStream<Response?>.Continuation] = [:]
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// The number of waits so far.
        var waits = 0

        mutating func removeOld(_ now: ContinuousClock.Instant) {
            entries = entries.filter { $0.value.made.map { $0.time.duration(to: now) < age } ?? true }
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
        /// The stream is empty if whoever makes it leaves before it is there, or whoever waits does.
        case wait(Int, AsyncStream<Response?>)
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
                if case let response?? = outcome { return response }
                state.withLock { $0.entries[key]?.waiting[number] = nil }
                try Task.checkCancellation()
                if outcome != nil { return try await make() }
            }
        }
    }

    /// The number of requests that wait for a rendering that is being made.
    func waiting(for key: Key) -> Int { state.withLock { $0.entries[key]?.waiting.count ?? 0 } }

    private func turn(_ key: Key) -> Turn {
        let now = time.instant()
        return state.withLock { state in
            if let entry = state.entries[key] {
                guard let made = entry.made else {
                    let (outcomes, waiter) = AsyncStream<Response?>.makeStream()
                    state.waits += 1
                    state.entries[key]?.waiting[state.waits] = waiter
                    return .wait(state.waits, outcomes)
                }
                if made.time.duration(to: now) < Self.age { return .take(made.response) }
            }
            if state.entries.count >= Self.maximumCount { state.removeOld(now) }
            guard state.entries.count < Self.maximumCount else { return .alone }
            state.entries[key] = Entry()
            return .make
        }
    }

    private func share(_ key: Key, _ make: () async throws -> Response) async throws -> Response {
        do {
            let response = try await make()
            end(key, .some(response.canBeShared(upTo: Self.maximumSize) ? response : nil))
            return response
        } catch {
            end(key, error.endsCancelledTask ? nil : .some(nil))
            throw error
        }
    }

    /// - Parameter outcome: What those get who wait; nil if somebody else has to make it.
    private func end(_ key: Key, _ outcome: Response??) {
        let now = time.instant()
        let waiting = state.withLock { state in
            state.removeOld(now)
            let entry = state.entries.removeValue(forKey: key)
            if case let response?? = outcome { state.entries[key] = Entry(made: (response, now)) }
            return entry?.waiting
        }
        for waiter in (waiting ?? [:]).values {
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
