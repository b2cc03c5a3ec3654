import CoreMetrics
import Glibc

/// The metrics of one event loop, in shards of its own, so that no loop waits for another or shares its cache lines.
///
/// Used on the loop's thread only. A request costs two readings of the clock and a few additions; series are made when
/// they are first needed.
final class LoopMetrics {
    /// The states of a connection that are counted.
    enum State: String, CaseIterable {
        case idle, receiving, handling, websocket, closing
    }

    private let receivedBytes, sentBytes, opened, abandoned, failedHandshakes: any CounterHandler
    private let factory: any MetricsFactory
    private let states: [any MeterHandler]
    private let lag: any MeterHandler
    /// By the number of the route; the first is for requests without one.
    private var routes: [RouteMetrics?] = []
    private var refusals: [Int: any CounterHandler]
    /// The time at which the next tick is due; nil before the first.
    private var due: UInt64?

    /// - Parameter loop: The number of the loop.
    init(_ factory: any MetricsFactory, loop: Int) {
        self.factory = factory
        receivedBytes = factory.loopCounter("roost_received_bytes_total")
        sentBytes = factory.loopCounter("roost_sent_bytes_total")
        opened = factory.loopCounter("roost_connections_opened_total")
        abandoned = factory.loopCounter("roost_abandoned_requests_total")
        failedHandshakes = factory.loopCounter("roost_failed_handshakes_total")
        let number = ("loop", "\(loop)")
        states = State.allCases.map {
            factory.makeMeter(label: "roost_connections", dimensions: [("state", $0.rawValue), number])
        }
        // An alert on what has not happened yet needs a series that says 0.
        refusals = Dictionary(
            uniqueKeysWithValues: Self.usualRefusals.map { ($0, Self.refusals(factory, $0)) })
        lag = factory.makeMeter(label: "roost_event_loop_lag_seconds", dimensions: [number])
    }

    /// The time in nanoseconds, of a clock that never goes back.
    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000 &+ UInt64(truncatingIfNeeded: time.tv_nsec)
    }

    /// Bytes have come.
    @inline(__always)
    func received(_ count: Int) { receivedBytes.increment(by: Int64(count)) }

    /// Bytes have gone.
    @inline(__always)
    func sent(_ count: Int) { sentBytes.increment(by: Int64(count)) }

    /// A connection has been accepted.
    func connected() { opened.increment(by: 1) }

    /// A request's client left before its response began.
    func abandon() { abandoned.increment(by: 1) }

    /// A request got its response.
    /// - Parameter start: The time at which its head was complete (``now()``).
    func responded(_ method: KnownMethod, _ route: RoutePattern?, status: Int, since start: UInt64) {
        let number = route?.number ?? 0
        guard number != RoutePattern.uncounted.number else { return }
        let metrics = number < routes.count ? routes[number] : nil
        let durations = (metrics ?? add(route, number)).durations(method, status)
        durations.recordNanoseconds(Int64(truncatingIfNeeded: Self.now() &- start))
    }

    @inline(never)
    private func add(_ route: RoutePattern?, _ number: Int) -> RouteMetrics {
        if number >= routes.count { routes += Array(repeating: nil, count: number + 1 - routes.count) }
        let metrics = RouteMetrics(route?.text ?? "unmatched", factory)
        routes[number] = metrics
        return metrics
    }

    /// The statuses with which a message can be refused before it is a request.
    private static let usualRefusals = [400, 408, 414, 417, 429, 431, 501, 503, 505]

    private static func refusals(_ factory: any MetricsFactory, _ status: Int) -> any CounterHandler {
        factory.loopCounter("roost_refused_messages_total", dimensions: [("status", "\(status)")])
    }

    /// Counts a message that was refused before it was a request.
    func refused(_ status: Int) {
        let counter = refusals[status] ?? Self.refusals(factory, status)
        refusals[status] = counter
        counter.increment(by: 1)
    }

    /// A client has connected for TLS, and has not got as far as a request.
    func handshakeFailed() { failedHandshakes.increment(by: 1) }

    /// A second has passed.
    /// - Parameters:
    ///   - counts: The number of connections in each state.
    ///   - now: The time (``now()``).
    func tick(_ counts: [State: Int], at now: UInt64 = LoopMetrics.now()) {
        for (state, meter) in zip(State.allCases, states) { meter.set(Int64(counts[state, default: 0])) }
        let late = due.map { Int64(bitPattern: now &- $0) } ?? 0
        lag.set(max(0, Double(late) * 1e-9))
        // The loop counts a second from when this tick was due; from now, if the next one has been missed by then.
        let isKept = (0..<Self.second).contains(late)
        due = now &+ UInt64(Self.second - (isKept ? late : 0))
    }

    /// A second in nanoseconds.
    private static let second: Int64 = 1_000_000_000
}

extension MetricsFactory {
    /// A counter that only one thread counts with.
    func loopCounter(_ name: String, dimensions: [(String, String)] = []) -> any CounterHandler {
        (self as? PrometheusMetrics)?.counter(name, dimensions, isShared: false)
            ?? makeCounter(label: name, dimensions: dimensions)
    }

    /// A timer that only one thread records with.
    func loopTimer(_ name: String, dimensions: [(String, String)]) -> any TimerHandler {
        (self as? PrometheusMetrics)?.timer(name, dimensions, isShared: false)
            ?? makeTimer(label: name, dimensions: dimensions)
    }
}
