import Synchronization

/// The place where code that takes part in a request finds its timeline.
package enum Timelines {
    private static let isOn = Atomic<Bool>(false)
    @TaskLocal private static var local: RequestTimeline?

    /// The timeline of the request that the task works for; nil where nobody looks at it, as always in production. It
    /// is one load of one byte then.
    package static var current: RequestTimeline? { isOn.load(ordering: .relaxed) ? local : nil }

    /// Has this process look for timelines from now on.
    package static func turnOn() { isOn.store(true, ordering: .relaxed) }

    /// Runs a closure as part of a request.
    package static func with<Result>(
        _ timeline: RequestTimeline, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $local.withValue(timeline) { try await body() }
    }
}
