import HTTPTypes
public import Logging

/// Logs one line for each request: where it comes from, method, path, status, bytes, duration, request id.
///
///     192.0.2.7 GET /users 200 1093 B 0.42 ms 3k9rt0v5cmz1x
public struct RequestLog: ImmediateMiddleware {
    /// The key of the time at which a request came; set only where requests are logged.
    enum Start: RequestKey { typealias Value = ContinuousClock.Instant }

    private let logger: Logger
    private let isOn: Bool
    private let showsQuery: Bool
    private let now: @Sendable () -> ContinuousClock.Instant

    /// Logs at level `info`, if that is the logger's level now.
    /// - Parameters:
    ///   - logger: By default, the task's logger (swift-log's `withLogger`) or one with the label `roost`.
    ///   - showsQuery: Whether the path's query is logged too. It may hold secrets, such as the token of a link that
    ///     was sent by mail, so by default no log shows it.
    ///   - now: The clock that durations are taken from.
    public init(
        _ logger: Logger? = nil,
        showsQuery: Bool = false,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        let logger = logger ?? .current(or: "roost")
        self.logger = logger
        isOn = logger.logLevel <= .info
        self.showsQuery = showsQuery
        self.now = now
    }

    /// Notes the time.
    public func before(_ request: inout Request) -> Response? {
        if isOn { request[Start.self] = now() }
        return nil
    }

    /// Logs the request. The status after an error is decided by ``ErrorPages``, so place that after this middleware.
    public func after(_ response: inout Response, to request: Request) {
        if isOn, let start = request[Start.self] { log(request, response, now() - start) }
    }

    private func log(_ request: Request, _ response: Response, _ duration: Duration) {
        let name = LogText.name(of: request, hasQuery: showsQuery)
        let bytes = request.method == .head ? "0 B" : response.body.count.map { "\($0) B" } ?? "stream"
        let id = request.id.map { " \($0)" } ?? ""
        let time = Self.milliseconds(duration)
        logger.info("\(name) \(response.status.code) \(bytes) \(time) ms\(id)")
    }

    /// With two decimals.
    private static func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let hundredths = seconds * 100_000 + attoseconds / 10_000_000_000_000
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
