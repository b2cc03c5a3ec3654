public import CoreMetrics

/// A service with figures of its own. While anybody measures, the server asks it for them once a second, on its first
/// event loop.
public protocol MetricsReporting: Sendable {
    /// Sets gauges to what they are now. It must not wait.
    ///
    ///     Meter(label: "mail_queue_length", factory: metrics).set(queue.count)
    func reportMetrics(to metrics: any MetricsFactory)
}
