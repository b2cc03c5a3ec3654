/// Responds at the admin port: `GET /metrics`.
final class MetricsResponder: Responder {
    private let metrics: PrometheusMetrics

    init(_ metrics: PrometheusMetrics) { self.metrics = metrics }

    func respond(to request: Request) async throws -> Response {
        guard request.path == "/metrics" else { return .text("Not found: see /metrics.\n", status: .notFound) }
        guard request.knownMethod == .get || request.knownMethod == .head else {
            return Response(.methodNotAllowed, headers: [.allow: "GET, HEAD"])
        }
        // It reads files of the system.
        let text = try await offload { [metrics] in metrics.text() }
        var response = Response(.ok, MetricText.contentType, Body(text))
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
