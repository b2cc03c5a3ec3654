import Synchronization

/// The place where code that takes part in a request finds its timeline.
package enum Timelines {
    private static let isOn = Atomic<Bool>(false)
    @TaskLocal private static var local: RequestTimeline?

    /// The timeline of the request that the task works for; nil where nobody looks at it, as always in production. It
    /// is one load of one byte then.
    package static var current: RequestTimeline? { isOn.load(ordering: .relaxed) ? local : nil }

    /// Begins a step of the work that the task does: on the timeline of its request, and as a span. Nil where nobody
    /// looks at either, at the same price.
    /// - Parameters:
    ///   - text: The text on the timeline.
    ///   - name: The name of the span: one of few.
    ///   - attributes: Further facts for a tracer, with the names of OpenTelemetry's semantic conventions.
    package static func begin(
        _ kind: StepKind, _ text: @autoclosure () -> String, span name: @autoclosure () -> String,
        _ attributes: @autoclosure () -> [String: String] = [:]
    ) -> OpenStep? {
        guard isOn.load(ordering: .relaxed) else { return nil }
        let span: StepSpan? = StepSpan.hasTracer ? StepSpan.begin(kind, name(), attributes()) : nil
        guard local != nil || span != nil else { return nil }
        return OpenStep(kind, text(), in: local, span)
    }

    /// Whether this process looks for timelines.
    package static var isTurnedOn: Bool { isOn.load(ordering: .relaxed) }

    /// Has this process look for timelines from now on.
    package static func turnOn() { isOn.store(true, ordering: .relaxed) }

    /// Runs a closure as part of a request.
    package static func with<Result>(
        _ timeline: RequestTimeline, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $local.withValue(timeline) { try await body() }
    }
}
