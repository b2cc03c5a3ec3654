import Synchronization

/// The steps on the way of one request, in the order in which they ended: at most 64 KiB of text.
package final class RequestTimeline: Sendable {
    /// The most bytes of all steps together.
    static let limit = 64 << 10

    private struct State {
        var entries: [TimelineEntry] = []
        var size = 0
        var dropped = 0
    }

    /// The number of the request in this run of the program.
    package let number: Int
    private let start: ContinuousClock.Instant
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    /// Begins the timeline of a request.
    package init(_ number: Int, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.number = number
        self.now = now
        start = now()
    }

    /// The time since the begin of the request.
    package var elapsed: Duration { now() - start }

    /// The steps that have ended.
    package var entries: [TimelineEntry] { state.withLock { $0.entries } }

    /// The number of steps that found no room.
    package var dropped: Int { state.withLock { $0.dropped } }

    /// Begins a step.
    package func begin(_ kind: StepKind, _ text: String) -> OpenStep { OpenStep(kind, text, in: self) }

    /// Adds a step that takes no time.
    package func note(_ kind: StepKind, _ text: String) {
        add(TimelineEntry(kind: kind, text: Self.cut(text), start: elapsed, duration: .zero))
    }

    func add(_ entry: TimelineEntry) {
        state.withLock { state in
            guard state.size + entry.size <= Self.limit else { return state.dropped += 1 }
            state.size += entry.size
            state.entries.append(entry)
        }
    }

    /// At most 2,000 characters of a text.
    static func cut(_ text: String) -> String {
        guard text.utf8.count > 2000 else { return text }
        return text.prefix(2000) + "…"
    }
}

/// A step that has begun.
package final class OpenStep: Sendable {
    private let kind: StepKind
    private let text: String
    private let start: Duration
    private let timeline: RequestTimeline?
    /// The step as a span; nil where nobody traces.
    package let span: StepSpan?

    init(_ kind: StepKind, _ text: String, in timeline: RequestTimeline?, _ span: StepSpan? = nil) {
        self.kind = kind
        self.text = text
        self.timeline = timeline
        self.span = span
        start = timeline?.elapsed ?? .zero
    }

    /// Ends the step, and adds it to its timeline.
    /// - Parameter change: Adds what is known of it besides.
    package func end(_ error: (any Error)? = nil, _ change: (inout TimelineEntry) -> Void = { _ in }) {
        span?.end(failed: error.map { "\(type(of: $0))" })
        guard let timeline else { return }
        var entry = TimelineEntry(
            kind: kind, text: RequestTimeline.cut(text), start: start, duration: timeline.elapsed - start)
        entry.error = error.map { RequestTimeline.cut("\($0)") }
        change(&entry)
        timeline.add(entry)
    }
}
