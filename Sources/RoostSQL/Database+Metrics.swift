public import CoreMetrics
public import Roost

extension Database: MetricsReporting {
    /// Tells how much of the engine is in use: connections, and statements that wait. Several databases are told apart
    /// by the label `database`.
    public func reportMetrics(to metrics: any MetricsFactory) { report(to: metrics) }
}
