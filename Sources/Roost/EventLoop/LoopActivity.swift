import Glibc
import Synchronization

/// The current work of a loop, written by the loop and read by the watchdog's thread.
///
/// The bytes of a request may be freed as soon as it has its response, so reading them from another thread takes a
/// handshake: while the watchdog reads, the loop does not get past ``endRequest()``. That costs the loop one atomic
/// operation a request.
final class LoopActivity: Sendable {
    /// An odd number while the loop works, an even one while it waits for events; another for each thing that it does,
    /// so that thousands of short ones in one turn are not taken for one that blocks.
    private let turn = Atomic<UInt>(0)
    /// None, or the current request is in ``bytes``, or it is also being read.
    private let state = Atomic(0)
    private let bytes = Atomic<UInt>(0)
    private let range = Atomic<UInt64>(0)
    /// Requests whose handlers have been suspended: they continue in a job, and nothing tells which request a job is
    /// for.
    private let suspended = Mutex<[ObjectIdentifier: Place]>([:])

    /// The place of a request's target: its bytes in memory, and the range of the target in them.
    private struct Place {
        var bytes: UInt
        var range: UInt64
    }

    private static let none = 0
    private static let present = 1
    private static let read = 2

    /// The number of the thing that the loop is doing; nil while it waits.
    var busyTurn: UInt? {
        let turn = turn.load(ordering: .relaxed)
        return turn.isMultiple(of: 2) ? nil : turn
    }

    // MARK: On the loop's thread

    /// Something begins: an event's callback, a job or a closure.
    @inline(__always)
    func work() { turn.store((turn.load(ordering: .relaxed) &+ 2) | 1, ordering: .relaxed) }

    func rest() { turn.store((turn.load(ordering: .relaxed) | 1) &+ 1, ordering: .relaxed) }

    /// A handler is about to run. The bytes with its request line must stay until ``endRequest()``.
    @inline(__always)
    func beginRequest(_ base: UnsafePointer<UInt8>, _ start: UInt32, _ end: UInt32) {
        bytes.store(UInt(bitPattern: base), ordering: .relaxed)
        range.store(UInt64(start) << 32 | UInt64(end), ordering: .relaxed)
        state.store(Self.present, ordering: .releasing)
    }

    /// The handler has returned, or is suspended.
    @inline(__always)
    func endRequest() {
        guard state.load(ordering: .relaxed) != Self.none else { return }
        while !state.compareExchange(expected: Self.present, desired: Self.none, ordering: .acquiringAndReleasing)
            .exchanged
        {
            sched_yield()
        }
    }

    /// The handler will continue in a job; the bytes must stay until ``endSuspended(_:)``.
    func suspendRequest(of owner: AnyObject) {
        if state.load(ordering: .relaxed) != Self.none {
            let place = Place(bytes: bytes.load(ordering: .relaxed), range: range.load(ordering: .relaxed))
            suspended.withLock { $0[ObjectIdentifier(owner)] = place }
        }
        endRequest()
    }

    /// The name in the log of an owner's request whose handler has been suspended.
    func suspendedRequest(of owner: AnyObject) -> String? {
        suspended.withLock { $0[ObjectIdentifier(owner)].map(Self.text) }
    }

    func endSuspended(_ owner: AnyObject) { suspended.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(owner)) } }

    // MARK: On any thread

    /// The request whose handler is running now; otherwise at most five of those whose handlers have been suspended,
    /// one of which may be the running one.
    var requests: [String] {
        if state.compareExchange(expected: Self.present, desired: Self.read, ordering: .acquiringAndReleasing).exchanged
        {
            defer { state.store(Self.present, ordering: .releasing) }
            return [
                Self.text(Place(bytes: bytes.load(ordering: .relaxed), range: range.load(ordering: .relaxed)))
            ]
        }
        return suspended.withLock { $0.values.prefix(5).map(Self.text) }
    }

    /// The method and the target without its query, which may hold secrets; at most 200 bytes, without control
    /// characters.
    private static func text(_ place: Place) -> String {
        guard let base = UnsafePointer<UInt8>(bitPattern: place.bytes) else { return "" }
        let start = Int(place.range >> 32)
        let end = Int(place.range & 0xFFFF_FFFF)
        var method = max(0, start - 1)
        while method > 0, base[method - 1] > 0x20 { method -= 1 }
        let line = UnsafeBufferPointer(start: base + method, count: min(end - method, 200))
        return String(decoding: line.prefix { $0 != UInt8(ascii: "?") && $0 >= 0x20 }, as: UTF8.self)
    }
}
