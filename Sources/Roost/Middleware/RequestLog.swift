import HTTPTypes
public import Logging

/// Logs one line for each request: method, target, status, bytes, duration, request id.
public struct RequestLog: Middleware {
    private let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant

    /// Logs at level `info`.
    /// - Parameter now: The clock that durations are taken from.
    public init(_ logger: Logger, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.logger = logger
        self.now = now
    }

    /// Logs after the response is known; what an error becomes is ``ErrorPages``' to say, so it belongs behind this.
    public func respond(to request: Request, next: Next) async throws -> Response {
        guard logger.logLevel <= .info else { return try await next(request) }
        let start = now()
        let response = try await next(request)
        log(request, response, now() - start)
        return response
    }

    private func log(_ request: Request, _ response: Response, _ duration: Duration) {
        let target = LogText.escaped(request.target)
        let bytes = request.method == .head ? "0 B" : response.body.count.map { "\($0) B" } ?? "stream"
        let id = request.id.map { " \($0)" } ?? ""
        let time = Self.milliseconds(duration)
        logger.info("\(request.method) \(target) \(response.status.code) \(bytes) \(time) ms\(id)")
    }

    /// With two decimals.
    private static func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let hundredths = seconds * 100_000 + attoseconds / 10_000_000_000_000
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
