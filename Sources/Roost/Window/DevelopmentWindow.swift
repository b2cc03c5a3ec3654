import HTTPTypes
import Synchronization

/// The window `/_roost`, in which a developer sees what a program has done: around everything else that responds, in
/// development only.
///
/// It is there for a browser on this machine alone, by the address of the connection and by the host of the request
/// (``Request/isOnLoopback``), because a page elsewhere could have its name lead here. For others nothing is there:
/// the application responds. No browser speaks HTTP/1.0, in which nginx asks unless it is told otherwise.
final class DevelopmentWindow: Responder {
    static let path = "/_roost"
    /// The most requests that are kept.
    static let limit = 200

    private struct State {
        var count = 0
        var requests: [RecordedRequest] = []
    }

    private let next: any Responder
    private let pages: WindowPages
    private let state = Mutex(State())

    init(around next: any Responder, _ pages: WindowPages) {
        self.next = next
        self.pages = pages
        Timelines.turnOn()
    }

    func serverChanged(to phase: ServerPhase) { next.serverChanged(to: phase) }

    func respond(to request: Request) async throws -> Response {
        let isOwn = request.path == Self.path || request.path.hasPrefix(Self.path + "/")
        guard isOwn else { return try await record(request) }
        // The pages that reload themselves belong to the application's own middleware.
        guard request.isOnLoopback, !request.head.exchange.isHTTP10, request.method == .get || request.method == .head,
            let response = try await pages.response(to: request, state.withLock { $0.requests })
        else { return try await next.respondEitherWay(to: request) }
        return response
    }

    private func record(_ request: Request) async throws -> Response {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        let timeline = RequestTimeline(number)
        do {
            var response = try await Timelines.with(timeline) { try await next.respondEitherWay(to: request) }
            let recorded = RecordedRequest(request, response, timeline)
            keep(recorded)
            if response.status.code >= 200, request.isOnLoopback {
                response.headers.append(.serverTiming, recorded.serverTiming)
            }
            return response
        } catch {
            timeline.note(.log, "It ended with an error: \(error)")
            keep(RecordedRequest(request, nil, timeline))
            throw error
        }
    }

    private func keep(_ recorded: RecordedRequest) {
        state.withLock { state in
            state.requests.append(recorded)
            if state.requests.count > Self.limit { state.requests.removeFirst() }
        }
    }
}

extension HTTPField.Name {
    /// The time that the parts of a response have taken, for the tools of a browser (Server Timing, W3C).
    static let serverTiming = known("Server-Timing")
}
