import Synchronization

/// The last response that a test has got, which is shown if the test fails.
final class LastResponse: Sendable {
    @TaskLocal static var current: LastResponse?

    private let kept = Mutex<(request: String, response: HTTPClient.Response)?>(nil)

    func keep(_ response: HTTPClient.Response, to request: String) { kept.withLock { $0 = (request, response) } }

    /// The request and the whole response, as text; nil before the first.
    var text: String? { kept.withLock { $0.map { "\($0.request):\n\($0.response)" } } }
}
