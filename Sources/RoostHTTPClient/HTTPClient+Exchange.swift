import HTTPTypes
import Roost

// One call: tries, and within each the redirects.

extension HTTPClient {
    func exchange(_ request: Request, streams: Bool) async throws -> Response {
        var request = request
        let own = request.headers
        for field in headers.list where !own.contains(field.name) { request.headers.append(field.name, field.value) }
        if let retries { request.repeatable.formUnion(retries.methods) }
        let deadline = ContinuousClock.now + timeout
        var tried = 0
        while true {
            tried += 1
            let outcome: Result<Response, any Error>
            do {
                outcome = .success(try await follow(request, until: deadline, streams: streams))
            } catch {
                outcome = .failure(error)
            }
            guard let pause = retries?.pause(after: tried, request, outcome), .now + pause < deadline else {
                return try outcome.get()
            }
            try await EventLoop.pause(for: pause)
        }
    }

    private func follow(
        _ request: Request, until deadline: ContinuousClock.Instant, streams: Bool
    ) async throws -> Response {
        var request = request
        var count = 0
        while true {
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { throw Failure(.timedOut, request.url, "did not respond in time") }
            var response = try await transport(request, rest, timeout, maximumBodySize, streams)
            response.url = request.url
            response.coder = json
            guard maximumRedirects > 0, let next = try Redirect(response, to: request)?.next else { return response }
            guard count < maximumRedirects else {
                throw Failure(.tooManyRedirects, request.url, "is one redirect more than \(maximumRedirects)")
            }
            count += 1
            request = next
        }
    }
}
