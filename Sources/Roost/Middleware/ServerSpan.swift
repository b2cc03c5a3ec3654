/// Makes each request a span. It stands around everything else, and only in a program with a tracer.
///
/// The trace of a message is believed where its client is: when a trusted proxy has sent it. The trace of the span is
/// that of the request, also in the log.
final class ServerSpan: Responder {
    private let next: any Responder

    init(around next: any Responder) {
        self.next = next
        Timelines.turnOn()
    }

    func serverChanged(to phase: ServerPhase) { next.serverChanged(to: phase) }

    func respond(to request: Request) async throws -> Response {
        let method = request.method.rawValue
        let attributes = [
            "http.request.method": method, "url.path": request.path, "url.scheme": request.isHTTPS ? "https" : "http",
            "server.address": request.authority,
        ]
        let received: @Sendable (String) -> String? = { name in
            guard request.forwarded != nil, let name = HTTPField.Name(name) else { return nil }
            return request.headers[name]
        }
        guard let span = StepSpan.begin(.request, method, attributes, received: received) else {
            return try await next.respondEitherWay(to: request)
        }
        let traced = request.inTrace(span.fields)
        do {
            let response = try await span.with { try await next.respondEitherWay(to: traced) }
            if let route = request.route {
                span.set("http.route", route)
                span.rename("\(method) \(route)")
            }
            span.set("http.response.status_code", response.status.code)
            span.end(failed: response.status.code >= 500 ? "\(response.status.code)" : nil)
            return response
        } catch {
            span.end(failed: "\(type(of: error))")
            throw error
        }
    }
}
