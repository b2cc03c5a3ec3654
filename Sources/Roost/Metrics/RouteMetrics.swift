import CoreMetrics

/// One event loop's metrics of a route's requests, by the names of OpenTelemetry's conventions for HTTP servers.
final class RouteMetrics {
    /// The requests of one method with responses of one status.
    private struct Series {
        let key: Int
        let duration: any TimerHandler
    }

    private let route: String
    private let factory: any MetricsFactory
    private var series: [Series] = []

    init(_ route: String, _ factory: any MetricsFactory) {
        self.route = route
        self.factory = factory
    }

    /// The durations of the requests of a method with responses of a status, and so their number. A method that is not
    /// well-known is `_OTHER`: anybody can make one up.
    func durations(_ method: KnownMethod, _ status: Int) -> any TimerHandler {
        let key = status << 8 | Int(method.rawValue)
        for one in series where one.key == key { return one.duration }
        return add(method, status, key)
    }

    @inline(never)
    private func add(_ method: KnownMethod, _ status: Int, _ key: Int) -> any TimerHandler {
        let labels = [
            ("http_request_method", method.method?.rawValue ?? "_OTHER"), ("http_route", route),
            ("http_response_status_code", "\(status)"),
        ]
        let duration = factory.loopTimer("http_server_request_duration_seconds", dimensions: labels)
        series.append(Series(key: key, duration: duration))
        return duration
    }
}
