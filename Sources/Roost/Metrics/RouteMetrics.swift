import CoreMetrics

/// What one event loop measures of a route's requests.
final class RouteMetrics {
    /// The requests of one method with responses of one status.
    final class Series {
        fileprivate let key: Int
        let requests: any CounterHandler
        let duration: any TimerHandler

        fileprivate init(_ key: Int, _ requests: any CounterHandler, _ duration: any TimerHandler) {
            self.key = key
            self.requests = requests
            self.duration = duration
        }
    }

    private let route: String
    private let factory: any MetricsFactory
    private var series: [Series] = []
    private var durations: [KnownMethod: any TimerHandler] = [:]

    init(_ route: String, _ factory: any MetricsFactory) {
        self.route = route
        self.factory = factory
    }

    /// The series of a method and a status. A method that is not well-known is `_OTHER`: anybody can make one up.
    func series(_ method: KnownMethod, _ status: Int) -> Series {
        let key = status << 8 | Int(method.rawValue)
        for one in series where one.key == key { return one }
        return add(method, status, key)
    }

    @inline(never)
    private func add(_ method: KnownMethod, _ status: Int, _ key: Int) -> Series {
        let labels = [("method", method.method?.rawValue ?? "_OTHER"), ("route", route)]
        let duration =
            durations[method] ?? factory.loopTimer("http_request_duration_seconds", dimensions: labels)
        durations[method] = duration
        let requests = factory.loopCounter("http_requests_total", dimensions: labels + [("status", "\(status)")])
        let new = Series(key, requests, duration)
        series.append(new)
        return new
    }
}
