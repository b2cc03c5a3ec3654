import CoreMetrics
import Roost
import Synchronization

/// The durations of calls by host, under the names of OpenTelemetry's conventions for HTTP clients.
final class HostMetrics: Sendable {
    private let factory: any MetricsFactory
    let isOff: Bool
    private let timers = Mutex<[String: any TimerHandler]>([:])
    /// The most series: a program that calls more hosts, such as one for webhooks, has the rest under `other`.
    private static let most = 200

    init(_ factory: any MetricsFactory) {
        self.factory = factory
        isOff = factory is NOOPMetricsHandler
    }

    func responded(_ request: HTTPClient.Request, _ outcome: String, _ time: Duration) {
        let timer = timers.withLock { timers in
            var host = request.host
            if timers.count >= Self.most, timers["\(host) \(request.method) \(outcome)"] == nil { host = "other" }
            let key = "\(host) \(request.method) \(outcome)"
            if let timer = timers[key] { return timer }
            let labels = [
                ("server_address", host), ("http_request_method", request.method.rawValue),
                ("http_response_status_code", outcome),
            ]
            let timer = factory.makeTimer(label: "http_client_request_duration_seconds", dimensions: labels)
            timers[key] = timer
            return timer
        }
        timer.recordNanoseconds(time.wholeNanoseconds)
    }
}
