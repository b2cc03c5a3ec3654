/// Makes each request a span. It stands around everything but health checks and the window of development, and only in
/// a program with a tracer.
///
/// The trace of a message is believed where its client is: when a trusted proxy has sent it. The trace of the span is
/// that of the request, also in the log.
final class ServerSpan: Responder {
    private let next: any Responder

    init(around next: any Responder) {
        self.next = next
        Timelines.turnOn()
    }

    func respond(to request: Request) async throws -> Response {
        // Anybody can make a method up, and back ends keep the names of spans.
        let known = request.knownMethod.method?.rawValue
        let method = known ?? "HTTP"
        let authority = Substring(request.authority).utf8, host = Authority.host(of: authority)
        let attributes = [
            "http.request.method": known ?? "_OTHER", "url.path": request.path,
            "url.scheme": request.isHTTPS ? "https" : "http", "server.address": String(Authority.withoutBrackets(host)),
        ]
        let received: @Sendable (String) -> String? = { name in
            guard request.forwarded != nil, let name = HTTPField.Name(name) else { return nil }
            return request.headers[name]
        }
        guard let span = StepSpan.begin(.request, method, attributes, received: received) else {
            return try await next.respondEitherWay(to: request)
        }
        if let port = Int(Substring(authority[host.endIndex...].dropFirst())) { span.set("server.port", port) }
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
