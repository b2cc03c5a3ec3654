internal import CLibevent
import Glibc

/// A file descriptor or a timer that a loop watches, until it is deinitialized.
///
/// It owns libevent's `struct event` at a fixed address. Listeners, clocks, the waits of tasks and others have one; a
/// connection, of which there are thousands, does without this convenience (see `ConnectionSocket`).
package final class IOEvent {
    private let event: UnsafeMutablePointer<event>
    private let body: (Readiness) -> Void
    private let activity: LoopActivity

    /// Calls `body` on the loop's thread each time the event happens. It is inactive until ``add(after:)``.
    /// - Parameters:
    ///   - descriptor: A file descriptor, or -1 for a timer.
    ///   - isPersistent: Whether it happens more than once.
    ///   - body: Gets what the descriptor is ready for; nothing when the time is over.
    package init(
        _ loop: EventLoop, _ descriptor: Int32, _ readiness: Readiness, isPersistent: Bool = false,
        _ body: @escaping (Readiness) -> Void
    ) {
        self.body = body
        activity = loop.activity
        event = .allocate(capacity: 1)
        let me = Unmanaged.passUnretained(self).toOpaque()
        event_assign(
            event,
            loop.base,
            descriptor,
            readiness.events | (isPersistent ? Int16(EV_PERSIST) : 0),
            { _, what, me in
                guard let me else { return }
                let event = Unmanaged<IOEvent>.fromOpaque(me).takeUnretainedValue()
                event.activity.work()
                event.body(Readiness(events: what))
            },
            me
        )
    }

    deinit {
        event_del(event)
        event.deallocate()
    }

    /// Begins to wait, for a limited time if one is given. False when the system cannot watch the descriptor; then
    /// `errno` says why, and nothing will happen, not even when the time is over.
    @discardableResult
    package func add(after limit: Duration? = nil) -> Bool {
        guard let limit else { return event_add(event, nil) == 0 }
        var time = Self.time(limit)
        return event_add(event, &time) == 0
    }

    /// A hundred years: a loop adds its clock to it without overflow.
    private static let longest = Duration.seconds(100 * 366 * 86_400)

    /// The microseconds, rounded up, so that no wait ends early.
    static func time(_ limit: Duration) -> timeval {
        let (seconds, attoseconds) = min(max(limit, .zero), longest).components
        let microseconds = Int((attoseconds + 999_999_999_999) / 1_000_000_000_000)
        return timeval(tv_sec: Int(seconds) + microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
    }

    /// Stops waiting.
    package func remove() {
        event_del(event)
    }
}

/// The conditions to wait for on a file descriptor.
public struct Readiness: OptionSet, Sendable {
    /// The bits, as libevent has them.
    public let rawValue: Int

    /// A set of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Readiness for reading: there are bytes, the end, or an error.
    public static let readable = Readiness(rawValue: 2)
    /// Readiness for writing: there is room, or an error.
    public static let writable = Readiness(rawValue: 4)

    /// The conditions among libevent's events.
    init(events: Int16) { self.init(rawValue: Int(events & Int16(EV_READ | EV_WRITE))) }

    /// Libevent's events.
    var events: Int16 { Int16(truncatingIfNeeded: rawValue) & Int16(EV_READ | EV_WRITE) }
}
