import HTTPTypes

/// The paths of health checks.
package enum HealthPath {
    static var live: StaticString { "/health/live" }
    static var ready: StaticString { "/health/ready" }

    package static func contains(_ path: String) -> Bool { path == live.description || path == ready.description }
}

/// Responds to `/health/live` and `/health/ready`, and passes everything else on.
///
/// It stands before all middleware: a probe sends any `Host`, comes every second, and wants a plain answer.
final class HealthResponder: Responder {
    private let monitor: HealthMonitor
    private let next: any Responder

    init(_ monitor: HealthMonitor, _ next: any Responder) {
        self.monitor = monitor
        self.next = next
    }

    func serverChanged(to phase: ServerPhase) { monitor.serverChanged(to: phase) }

    func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
        let path = request.bytes.slice(request.head.path)
        if let response = try respond(path, request) { return response }
        return try next.respondWithoutWaiting(to: &request)
    }

    func respond(to request: Request) async throws -> Response {
        switch try respond(request.bytes.slice(request.head.path), request) {
        case .ready(let response): return response
        case .waiting: return try Self.response(await monitor.report())
        case nil: return try await next.respondEitherWay(to: request)
        }
    }

    @inline(never)
    private func respond(
        _ path: UnsafeBufferPointer<UInt8>, _ request: Request
    ) throws -> ImmediateResponse? {
        let isReady = path.isEqual(to: HealthPath.ready)
        guard isReady || path.isEqual(to: HealthPath.live) else { return nil }
        request.notes.route = .uncounted
        guard request.knownMethod == .get || request.knownMethod == .head else {
            return .ready(Response(.methodNotAllowed, headers: [.allow: "GET, HEAD"]))
        }
        guard isReady else { return .ready(try Self.response(status: .ok, Liveness())) }
        guard let report = monitor.reportNow() else { return .waiting(self) }
        return .ready(try Self.response(report))
    }

    private struct Liveness: Encodable { let status = "live" }

    private static func response(_ report: HealthReport) throws -> Response {
        try response(status: report.status == .ready ? .ok : .serviceUnavailable, report)
    }

    private static func response(status: HTTPResponse.Status, _ value: some Encodable) throws -> Response {
        let body = Body(try JSONCoder(layout: .sorted).encode(value))
        return Response(status, headers: [.contentType: "application/json", .cacheControl: "no-store"], body: body)
    }
}
