import CoreMetrics
import Synchronization

/// A topic's subscribers on one event loop, or all that are on none.
///
/// Its lock is held for moments, by its own loop and by whoever publishes, and never while a subscriber runs.
final class TopicShare: Sendable {
    /// The loop; nil for subscribers that are on none.
    let loop: EventLoop?
    private let state = Mutex(State())
    private let subscribers = Meter(label: "roost_topic_subscribers")

    fileprivate struct State {
        /// One for each subscriber.
        var places: [Place] = []
        var free: [Int] = []
        var waiting = 0
        /// Whether the subscribers are going to be woken.
        var isSignalled = false
    }

    fileprivate enum Place {
        case free
        case busy
        case waiting(UnsafeContinuation<Void, any Error>)
        /// The task of a busy one has been cancelled.
        case cancelled
    }

    /// The maximum number of subscribers woken in one turn of the loop, which serves others in between.
    private static let batch = 512

    init(_ loop: EventLoop?) { self.loop = loop }

    /// Whether there is any subscriber.
    var isFollowed: Bool { state.withLock { $0.places.count > $0.free.count } }

    /// Wakes all who wait: on the loop, so that it costs the loop one wake-up and each of them only a job.
    func wake() {
        let isNeeded = state.withLock { state in
            guard state.waiting > 0, !state.isSignalled else { return false }
            state.isSignalled = true
            return true
        }
        if isNeeded { resumeSoon(from: 0) }
    }

    private func resumeSoon(from start: Int) {
        guard let loop else { return resume(from: start) }
        loop.execute { self.resume(from: start) }
    }

    private func resume(from start: Int) {
        let (ready, end) = state.withLock { state in
            if start == 0 { state.isSignalled = false }
            let end = state.waiting == 0 ? state.places.count : min(state.places.count, start + Self.batch)
            return (state.takeWaiting(start, end), end < state.places.count ? end : nil)
        }
        for continuation in ready { continuation.resume() }
        if let end { resumeSoon(from: end) }
    }

    /// A place for one more subscriber.
    func enter() -> Int {
        subscribers.increment()
        return state.withLock { state in
            if let place = state.free.popLast() {
                state.places[place] = .busy
                return place
            }
            state.places.append(.busy)
            return state.places.count - 1
        }
    }

    func leave(_ place: Int) {
        subscribers.decrement()
        state.withLock { state in
            state.places[place] = .free
            state.free.append(place)
        }
    }

    /// Waits until ``wake()`` is called; it may also return earlier.
    /// - Parameter hasMore: Whether there is no reason to wait. Whoever changes that must call ``wake()`` afterwards.
    func wait(at place: Int, unless hasMore: () -> Bool) async throws {
        try await withTaskCancellationHandler {
            // Unchecked, because there may be very many: one that waits is in its place, and is resumed by whoever
            // takes it out of there.
            try await withUnsafeThrowingContinuation { continuation in
                let result = state.withLock { $0.wait(at: place, unless: hasMore, continuation) }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiting = state.withLock { $0.cancel(place) }
            waiting?.resume(throwing: CancellationError())
        }
    }
}

extension TopicShare.State {
    /// Takes the tasks that wait at places from `start` to `end`, which then wait no longer.
    fileprivate mutating func takeWaiting(_ start: Int, _ end: Int) -> [UnsafeContinuation<Void, any Error>] {
        guard waiting > 0, start < end else { return [] }
        var taken: [UnsafeContinuation<Void, any Error>] = []
        taken.reserveCapacity(min(waiting, end - start))
        for place in start..<end {
            guard case .waiting(let continuation) = places[place] else { continue }
            taken.append(continuation)
            places[place] = .busy
        }
        waiting -= taken.count
        return taken
    }

    /// Lets a subscriber wait, unless there is a reason not to.
    fileprivate mutating func wait(
        at place: Int, unless hasMore: () -> Bool, _ continuation: UnsafeContinuation<Void, any Error>
    ) -> Result<Void, any Error>? {
        if case .cancelled = places[place] {
            places[place] = .busy
            // It may have been another task that used this place before.
            if Task.isCancelled { return .failure(CancellationError()) }
        }
        if hasMore() { return .success(()) }
        places[place] = .waiting(continuation)
        waiting += 1
        return nil
    }

    /// Cancels the wait of a subscriber: the one that is under way, or the one that is about to begin.
    fileprivate mutating func cancel(_ place: Int) -> UnsafeContinuation<Void, any Error>? {
        guard case .waiting(let continuation) = places[place] else {
            places[place] = .cancelled
            return nil
        }
        places[place] = .busy
        waiting -= 1
        return continuation
    }
}
