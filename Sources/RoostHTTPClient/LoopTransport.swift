import Roost

/// Transfers on the caller's event loop. A caller without one, such as a command, has them on a loop that the program
/// keeps for this.
struct LoopTransport: Sendable {
    private let pools: TransferPools
    private let metrics: HostMetrics

    init(_ settings: TransferSettings, _ metrics: HostMetrics) {
        pools = TransferPools(settings)
        self.metrics = metrics
    }

    func send(
        _ request: HTTPClient.Request, within time: Duration, pause: Duration, limit: Int, streams: Bool
    ) async throws -> HTTPClient.Response {
        let start = metrics.isOff ? nil : ContinuousClock.now
        let loop = try EventLoop.current ?? EventLoop.background.get()
        let exchange = TransferExchange(request, time: time, pause: pause, limit: limit, streams: streams)
        do {
            let response = try await exchange.run(on: loop, pools)
            if let start { metrics.responded(request, "\(response.status.code)", .now - start) }
            return response
        } catch {
            if let start { metrics.responded(request, "error", .now - start) }
            throw error
        }
    }
}
