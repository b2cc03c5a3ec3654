import CoreMetrics

/// What all loops of a server have in common, measured once a second.
struct ServerMetrics: Sendable {
    let factory: any MetricsFactory
    private let memory: MemoryBudget
    private let budgets: ClientBudgets
    private let pool: BlockingPool?
    private let services: [any MetricsReporting]
    private let droppedLines: any CounterHandler

    init(
        _ factory: any MetricsFactory, _ memory: MemoryBudget, _ budgets: ClientBudgets, _ pool: BlockingPool?,
        _ services: [any Service]
    ) {
        self.factory = factory
        self.memory = memory
        self.budgets = budgets
        self.pool = pool
        self.services = services.compactMap { $0 as? any MetricsReporting }
        droppedLines = factory.makeCounter(label: "log_dropped_lines_total", dimensions: [])
    }

    /// A second has passed.
    func report() {
        set("memory_buffered_bytes", memory.count)
        set("event_streams_open", budgets.streams.count)
        set("websockets_open", budgets.webSockets.count)
        set("offload_queue_length", pool?.waitingCount ?? 0)
        droppedLines.increment(by: Int64(LogWriter.standardError.takeDroppedCount()))
        for service in services { service.reportMetrics(to: factory) }
    }

    private func set(_ name: String, _ value: Int) {
        factory.makeMeter(label: name, dimensions: []).set(Int64(value))
    }
}
