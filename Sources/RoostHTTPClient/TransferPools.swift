import CoreMetrics
import Roost
import Synchronization

/// A client's pools, one for each event loop that it has been used on.
final class TransferPools: Sendable {
    private let settings: TransferSettings
    private let metrics: HostMetrics
    private let pools = Mutex<[ObjectIdentifier: LoopBound<TransferPool>]>([:])

    init(_ settings: TransferSettings, _ metrics: HostMetrics = HostMetrics(NOOPMetricsHandler.instance)) {
        (self.settings, self.metrics) = (settings, metrics)
    }

    /// Sends a request on the caller's event loop. A caller without one, such as a command, has it on a loop that the
    /// program keeps for this.
    func send(
        _ request: HTTPClient.Request, within time: Duration, pause: Duration, limit: Int, streams: Bool
    ) async throws -> HTTPClient.Response {
        let start = metrics.isOff ? nil : ContinuousClock.now
        let loop = try EventLoop.current ?? EventLoop.background.get()
        let exchange = TransferExchange(request, time: time, pause: pause, limit: limit, streams: streams)
        do {
            let response = try await exchange.run(on: loop, self)
            if let start { metrics.responded(request, "\(response.status.code)", .now - start) }
            return response
        } catch {
            if let start { metrics.responded(request, "error", .now - start) }
            throw error
        }
    }

    /// The pool of the current loop; call it on the loop's thread.
    func pool(of loop: EventLoop) throws -> TransferPool {
        let key = ObjectIdentifier(loop)
        if let pool = pools.withLock({ $0[key] }) { return pool.value }
        let pool = try TransferPool(loop, settings)
        let bound = LoopBound(lending: pool, of: loop)
        pools.withLock { $0[key] = bound }
        // The pool must go before its loop does.
        loop.beforeEnd(for: self) { [weak self] in self?.pools.withLock { $0.removeValue(forKey: key) }?.value.end() }
        return pool
    }

    deinit {
        for pool in pools.withLock({ $0.values }) { pool.loop.execute { pool.value.end() } }
    }
}

/// Settings that all transfers of a client share.
struct TransferSettings: Sendable {
    let allowed: AllowedAddresses
    let connectionsPerHost: Int
    let certificateAuthorities: String?
    let proxy: String?
    /// The time to a connection, TLS included.
    let connectTimeout = Duration.seconds(10)
    /// The most whole seconds for which the connection of a request that is sent only once may have been idle. Many
    /// servers close after five, and libcurl may notice only when the request is on its way. Then it also closes all
    /// others that have been idle for as long.
    var idleSeconds = 3
    /// The most connections that are kept open without a transfer, for each event loop.
    static let idleConnections = 64
    /// The most bytes of a response's header section.
    static let maximumHead = 256 << 10
}
