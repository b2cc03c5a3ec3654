public import CoreMetrics

/// A service with metrics of its own. While anything is measured, the server asks for them once a second, on its first
/// event loop.
public protocol MetricsReporting: Sendable {
    /// Sets gauges to their present values. It must not block.
    ///
    ///     Meter(label: "mail_queue_length", factory: metrics).set(queue.count)
    func reportMetrics(to metrics: any MetricsFactory)
}
