import CoreMetrics
import Synchronization

/// A topic's subscribers on one event loop, or all that are on none, with the topic's history.
///
/// The history is here once more so that loops do not compete for one lock. This one's lock is held for moments, by its
/// own loop and by whoever publishes, and never while a subscriber runs.
final class TopicShare<Event: Sendable>: Sendable {
    /// Nil for subscribers that are on no loop.
    let loop: EventLoop?
    private let state: Mutex<State>
    private let subscribers = Meter(label: "roost_topic_subscribers")

    fileprivate struct State {
        var history: TopicHistory<Event>
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
    private static var batch: Int { 512 }

    init(_ loop: EventLoop?, _ history: TopicHistory<Event>) {
        self.loop = loop
        state = Mutex(State(history: history))
    }

    /// Whether there is any subscriber.
    var isFollowed: Bool { state.withLock { $0.places.count > $0.free.count } }

    /// The maximum number of events that are kept.
    var capacity: Int { state.withLock { $0.history.capacity } }

    // MARK: Publishing

    /// Appends an event; returns whether to call ``wake()`` then.
    func append(_ entry: TopicEntry<Event>) -> Bool {
        state.withLock { state in
            state.history.append(entry)
            guard state.waiting > 0, !state.isSignalled else { return false }
            state.isSignalled = true
            return true
        }
    }

    func restart(after id: Int) { state.withLock { $0.history.restart(after: id) } }

    /// Wakes all who wait: on the loop, so that it costs the loop one wake-up and each of them only a job.
    func wake() {
        guard let loop else { return resume(from: 0) }
        loop.execute { self.resume(from: 0) }
    }

    private func resume(from start: Int) {
        let (ready, end) = state.withLock { state in
            if start == 0 { state.isSignalled = false }
            let end = state.waiting == 0 ? state.places.count : min(state.places.count, start + Self.batch)
            return (state.takeWaiting(start, end), end < state.places.count ? end : nil)
        }
        for continuation in ready { continuation.resume() }
        guard let end else { return }
        if let loop { loop.execute { self.resume(from: end) } } else { resume(from: end) }
    }

    // MARK: Subscribing

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

    /// The event after an id; nil when there is none yet. One that cannot be decoded is missed by all.
    func next(after id: Int) throws(FellBehind) -> TopicMessage<Event>? {
        let entry = try state.withLock { state throws(FellBehind) in try state.history.next(after: id) }
        guard let entry else { return nil }
        guard let message = entry.message else { throw FellBehind() }
        return message
    }

    /// Waits until there is an event after an id; it may also return earlier.
    func wait(at place: Int, after id: Int) async throws {
        try await withTaskCancellationHandler {
            // Unchecked, because there may be very many: one that waits is in its place, and is resumed by whoever
            // takes it out of there.
            try await withUnsafeThrowingContinuation { continuation in
                let result = state.withLock { $0.wait(at: place, after: id, continuation) }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiting = state.withLock { $0.cancel(place) }
            waiting?.resume(throwing: CancellationError())
        }
    }
}

extension TopicShare.State {
    /// Those who wait at places from `start` to `end`, who now wait no longer.
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
        at place: Int,
        after id: Int,
        _ continuation: UnsafeContinuation<Void, any Error>
    ) -> Result<Void, any Error>? {
        if case .cancelled = places[place] {
            places[place] = .busy
            // It may have been another task that used this place before.
            if Task.isCancelled { return .failure(CancellationError()) }
        }
        guard id == history.lastID else { return .success(()) }
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
