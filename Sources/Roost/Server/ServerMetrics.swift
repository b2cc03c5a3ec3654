import CoreMetrics

/// The metrics that all loops of a server have in common, measured once a second.
struct ServerMetrics: Sendable {
    private let factory: any MetricsFactory
    private let memory: MemoryBudget
    private let budgets: ClientBudgets
    private let pool: BlockingPool?
    private let services: [any MetricsReporting]
    private let droppedLines: any CounterHandler
    private let bufferedBytes, streams, webSockets, queue: any MeterHandler

    init(
        _ factory: any MetricsFactory, _ memory: MemoryBudget, _ budgets: ClientBudgets, _ pool: BlockingPool?,
        _ services: [any Service]
    ) {
        self.factory = factory
        self.memory = memory
        self.budgets = budgets
        self.pool = pool
        self.services = services.compactMap { $0 as? any MetricsReporting }
        droppedLines = factory.makeCounter(label: "roost_log_dropped_lines_total", dimensions: [])
        bufferedBytes = factory.makeMeter(label: "roost_memory_buffered_bytes", dimensions: [])
        streams = factory.makeMeter(label: "roost_event_streams_open", dimensions: [])
        webSockets = factory.makeMeter(label: "roost_websockets_open", dimensions: [])
        queue = factory.makeMeter(label: "roost_offload_queue_length", dimensions: [])
    }

    /// A second has passed.
    func report() {
        bufferedBytes.set(Int64(memory.count))
        streams.set(Int64(budgets.streams.count))
        webSockets.set(Int64(budgets.webSockets.count))
        queue.set(Int64(pool?.waitingCount ?? 0))
        droppedLines.increment(by: Int64(LogWriter.standardError.takeDroppedCount()))
        for service in services { service.reportMetrics(to: factory) }
    }
}

extension MetricsFactory {
    /// Counts that a loop has been blocked.
    /// - Parameter routes: Those that may have done it.
    func countBlockedLoop(_ loop: Int, _ routes: [String]) {
        let route = routes.count == 1 ? routes[0] : "unknown"
        makeCounter(label: "roost_event_loop_blocked_total", dimensions: [("loop", "\(loop)"), ("route", route)])
            .increment(by: 1)
    }
}

/// Responds at the admin port: `GET /metrics`.
final class MetricsResponder: Responder {
    private let metrics: PrometheusMetrics

    init(_ metrics: PrometheusMetrics) { self.metrics = metrics }

    func respond(to request: Request) async throws -> Response {
        guard request.path == "/metrics" else { return .text("Not found: see /metrics.\n", status: .notFound) }
        guard request.knownMethod == .get || request.knownMethod == .head else {
            return Response(.methodNotAllowed, headers: [.allow: "GET, HEAD"])
        }
        // It reads files of the system.
        let text = try await offloadOwn { [metrics] in metrics.text() }
        var response = Response(.ok, MetricText.contentType, Body(text))
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
