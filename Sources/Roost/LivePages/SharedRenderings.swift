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
        /// With those who wait for it, each with its number.
        case making([Int: CheckedContinuation<Outcome, Never>])
        case made(Response, ContinuousClock.Instant)
    }

    /// The end of a wait for a rendering that somebody else makes.
    private enum Outcome {
        case made(Response)
        /// It failed, or is not to be shared: whoever waits for it makes its own, and not one after the other.
        case notShared
        /// Whoever made it has left before it was there, or whoever waited has.
        case left
    }

    /// A rendering is given out no longer than this: a page may show the time.
    private static let age = Duration.seconds(1)
    private static let maximumCount = 64
    private static let maximumSize = 256 * 1024

    private let entries = Mutex<[Key: Entry]>([:])
    /// The number of waits so far.
    private let waits = Atomic(0)
    private let time = TimeSource.current

    private enum Turn {
        case take(Response)
        case wait
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
            case .wait:
                let outcome = await wait(for: key)
                if case .made(let response) = outcome { return response }
                try Task.checkCancellation()
                if case .notShared = outcome { return try await make() }
            }
        }
    }

    /// The number of requests that wait for a rendering that is being made.
    func waiting(for key: Key) -> Int {
        entries.withLock { if case .making(let waiting) = $0[key] { waiting.count } else { 0 } }
    }

    private func turn(_ key: Key) -> Turn {
        let now = time.instant()
        return entries.withLock { entries in
            switch entries[key] {
            case .made(let response, let time) where time.duration(to: now) < Self.age: return .take(response)
            case .making: return .wait
            default:
                if entries.count >= Self.maximumCount { Self.removeOld(in: &entries, now) }
                guard entries.count < Self.maximumCount else { return .alone }
                entries[key] = .making([:])
                return .make
            }
        }
    }

    private static func removeOld(in entries: inout sending [Key: Entry], _ now: ContinuousClock.Instant) {
        entries = entries.filter {
            if case .made(_, let time) = $0.value { time.duration(to: now) < age } else { true }
        }
    }

    /// Waits for a rendering that is being made, until its end or that of the task.
    private func wait(for key: Key) async -> Outcome {
        let number = waits.add(1, ordering: .relaxed).newValue
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now = entries.withLock { Self.wait(for: key, in: &$0, number, continuation) }
                if let now { return continuation.resume(returning: now) }
                if Task.isCancelled { withdraw(number, from: key) }
            }
        } onCancel: {
            withdraw(number, from: key)
        }
    }

    private func withdraw(_ number: Int, from key: Key) {
        let waiter = entries.withLock { entries -> CheckedContinuation<Outcome, Never>? in
            guard case .making(var waiting) = entries[key] else { return nil }
            let waiter = waiting.removeValue(forKey: number)
            entries[key] = .making(waiting)
            return waiter
        }
        waiter?.resume(returning: .left)
    }

    /// Lets somebody wait for a rendering that is being made; returns what there is if it is not.
    private static func wait(
        for key: Key, in entries: inout sending [Key: Entry], _ number: Int,
        _ continuation: CheckedContinuation<Outcome, Never>
    ) -> Outcome? {
        switch entries.removeValue(forKey: key) {
        case .making(var waiting):
            waiting[number] = continuation
            entries[key] = .making(waiting)
            return nil
        case .made(let response, let time):
            entries[key] = .made(response, time)
            return .made(response)
        case nil: return .left
        }
    }

    private func share(_ key: Key, _ make: () async throws -> Response) async throws -> Response {
        do {
            let response = try await make()
            end(key, response.canBeShared(upTo: Self.maximumSize) ? .made(response) : .notShared)
            return response
        } catch {
            end(key, error.endsCancelledTask ? .left : .notShared)
            throw error
        }
    }

    private func end(_ key: Key, _ outcome: Outcome) {
        let now = time.instant()
        let waiting = entries.withLock { entries in
            Self.removeOld(in: &entries, now)
            guard case .making(let waiting) = entries[key] else { return [CheckedContinuation<Outcome, Never>]() }
            if case .made(let response) = outcome { entries[key] = .made(response, now) } else { entries[key] = nil }
            return Array(waiting.values)
        }
        for one in waiting { one.resume(returning: outcome) }
    }
}

extension Response {
    /// Whether it is the same for everybody: a page in memory, without a cookie.
    fileprivate func canBeShared(upTo size: Int) -> Bool {
        status == .ok && headers[.contentType]?.hasPrefix("text/html") ?? false && !body.isStream
            && body.count.map { $0 <= size } ?? false && headers[.setCookie] == nil
    }
}
