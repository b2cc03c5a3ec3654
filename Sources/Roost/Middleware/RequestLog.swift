import HTTPTypes
public import Logging

/// Middleware that logs one line for each request: its peer, method, path, status, bytes, duration and id.
///
///     192.0.2.7 GET /users 200 1093 B 0.42 ms 3k9rt0v5cmz1x
///
/// In JSON (``LogFormat``), these are `peer`, `method`, `path`, `status`, `bytes` (missing for a stream), `duration_ms`
/// and `request_id`, besides `message`, the `route` if there is one (its pattern), `trace_id`, `account_id` if somebody
/// has signed in (``Request/log(accountID:)``), and the `error` if ``ErrorPages`` met one that it did not expect. In
/// both formats, the logger's metadata follow. A path, with its query if that is logged, is cut after 512 bytes, and
/// then ends with `…`. A handler that took too long is logged when it ends, with the 503 that its client has got.
public struct RequestLog: Filter {
    /// The key of the time at which a request came; set only where requests are logged.
    enum Start: RequestKey { typealias Value = ContinuousClock.Instant }

    private let logger: Logger
    /// The logger's handler, if it takes the fields of a line one by one.
    private let handler: RoostLogHandler?
    private let isOn: Bool
    private let showsQuery: Bool
    private let time = TimeSource.current

    /// Creates middleware that logs at level `info`, if the logger's level permits that when this is called.
    /// - Parameters:
    ///   - logger: By default, the task's logger (swift-log's `withLogger`) or one with the label `roost`.
    ///   - showsQuery: Whether the path's query is logged too. It may hold secrets, such as the token of a link that
    ///     was sent by mail, so by default no log shows it.
    public init(
        _ logger: Logger? = nil,
        showsQuery: Bool = false
    ) {
        let logger = logger ?? .current(or: "roost")
        self.logger = logger
        handler = logger.handler as? RoostLogHandler
        isOn = logger.logLevel <= .info
        self.showsQuery = showsQuery
    }

    /// Notes the time.
    public func before(_ request: inout Request) -> Response? {
        if isOn { request[Start.self] = time.instant() }
        return nil
    }

    /// Logs the request. The status after an error is decided by ``ErrorPages``, so place that after this middleware.
    public func after(_ response: inout Response, to request: Request) {
        if isOn, let start = request[Start.self] { log(request, response, time.instant() - start) }
    }

    /// Logs a request whose handler took too long and was cancelled: no ``ErrorPages`` makes a response of that.
    public func recover(from error: any Error, in request: Request) throws -> Response {
        if request.notes.isGivenUp {
            var response = Response(.serviceUnavailable)
            after(&response, to: request)
        }
        throw error
    }

    private func log(_ request: Request, _ response: Response, _ duration: Duration) {
        // Its client has had another response than the one that comes too late.
        let isGivenUp = request.notes.isGivenUp
        let told = LoggedRequest(
            request: request, status: isGivenUp ? 503 : response.status.code,
            count: isGivenUp || request.method == .head ? 0 : response.body.count, duration: duration,
            showsQuery: showsQuery)
        if let handler {
            // Made here, because a description that logs must not find the writer locked.
            let metadata = handler.told()
            handler.output.write(.info) { line in
                told.write(to: &line)
                line.metadata(metadata)
            }
        } else {
            let text = ByteBuffer(capacity: 128)
            var line = LogLine(.text, to: text)
            told.write(to: &line)
            logger.info("\(String(decoding: text.written, as: UTF8.self))")
        }
    }
}

/// The parts of a request and its response that a line of the log shows: no more of the response than that, since a
/// closure that writes the line would keep a copy of it.
struct LoggedRequest {
    let request: Request
    let status: Int
    /// The number of bytes in the response's body; nil for a stream.
    let count: Int?
    let duration: Duration
    let showsQuery: Bool

    func write(to line: inout LogLine) {
        let isJSON = line.format == .json
        if isJSON { line.field("message", plain: "request") }
        line.field("peer", plain: { request.appendClientHost(to: $0) })
        line.field("method", plain: request.method.rawValue)
        let (target, isCut) = request.loggedTarget(hasQuery: showsQuery)
        line.field("path", target, isCut: isCut)
        if isJSON, let route = request.route { line.field("route", route) }
        line.field("status", status)
        if let count {
            line.field("bytes", count, unit: " B")
        } else if line.format == .text {
            line.field("bytes", plain: "stream")
        }
        line.field("duration_ms", duration)
        if let id = request.id { line.field("request_id", plain: id) }
        guard isJSON else { return }
        let trace = request.traceID
        line.field("trace_id") {
            $0.append(hex: trace.high)
            $0.append(hex: trace.low)
        }
        if let id = request.notes.accountID { line.field("account_id", id) }
        if let error = request.notes.error { line.field("error", error) }
    }
}

extension Logger {
    /// Returns this logger with a request's `request_id` and `trace_id` in its metadata, by which all log lines about
    /// that request can be found. In JSON they are below `metadata`, but at the top level of the request's own line.
    ///
    ///     log.of(request).notice("A visitor has come.")
    public func of(_ request: Request) -> Logger {
        var logger = self
        if let id = request.id { logger[metadataKey: "request_id"] = "\(id)" }
        logger[metadataKey: "trace_id"] = "\(request.traceContext.traceID)"
        return logger
    }
}
