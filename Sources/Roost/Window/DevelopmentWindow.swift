import HTTPTypes
import Synchronization

/// The window `/_roost`, in which a developer sees what a program has done: around everything else that responds, in
/// development only.
///
/// It is there for a browser on this machine alone, by the address of the connection and by the host of the request
/// (``Request/isFromDeveloper``), because a page elsewhere could have its name lead here. For others nothing is there:
/// the application responds.
final class DevelopmentWindow: Responder {
    static let path = "/_roost"

    private let next: any Responder
    private let requests: RecordedRequests
    /// The router of the window's own pages, and their context.
    private let site: any Responder
    private let context: ResponseContext

    /// - Parameter pages: Makes the pages, which show the requests.
    /// - Throws: An error of the pages' templates or routes.
    init(around next: any Responder, _ pages: (RecordedRequests) -> WindowPages) throws {
        self.next = next
        requests = RecordedRequests()
        context = ResponseContext(templates: try WindowPages.templates())
        // They follow the requests as the live pages of an application follow its topics, by a stream of their own.
        let (table, live) = (RouteTable(context, bodyLimit: BodyLimit(body: 0, form: 0)), LivePages())
        let routes = Routes(table)
        pages(requests).routes(routes)
        routes.group(FixedPath(Self.path)) { [context] in context.liveScript = Self.path + $0.serve(live) }
        let router = try table.freeze()
        live.use(router, behind: [], in: context)
        site = router
        Timelines.turnOn()
    }

    func serverChanged(to phase: ServerPhase) { next.serverChanged(to: phase) }

    func respond(to request: Request) async throws -> Response {
        let isOwn = request.path == Self.path || request.path.hasPrefix(Self.path + "/")
        guard isOwn else { return try await record(request) }
        // The pages that reload themselves belong to the application's own middleware.
        guard request.isFromDeveloper, request.method == .get || request.method == .head,
            let response = try await page(request)
        else { return try await next.respondEitherWay(to: request) }
        return response
    }

    /// The page that a request asks for; nil if there is none, and the application may have one.
    private func page(_ request: Request) async throws -> Response? {
        do {
            var response = try await site.respondEitherWay(to: request).makingContent(for: request, in: context)
            response.headers[.contentSecurityPolicy] =
                "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; "
                + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
            response.headers[.cacheControl] = "no-store"
            response.headers[.xContentTypeOptions] = "nosniff"
            response.headers[.xFrameOptions] = "DENY"
            return response
        } catch let error as HTTPError where error.status == .notFound {
            return nil
        }
    }

    private func record(_ request: Request) async throws -> Response {
        let timeline = RequestTimeline(requests.nextNumber())
        do {
            var response = try await Timelines.with(timeline) { try await next.respondEitherWay(to: request) }
            let recorded = RecordedRequest(request, response, timeline)
            requests.keep(recorded)
            if response.status.code >= 200, request.isOnLoopback {
                response.headers.append(.serverTiming, recorded.serverTiming)
            }
            return response
        } catch {
            timeline.note(.log, "It ended with an error: \(error)")
            requests.keep(RecordedRequest(request, nil, timeline))
            throw error
        }
    }
}

/// The last requests of a program, and a topic that tells of each.
final class RecordedRequests: Sendable {
    /// The most that are kept.
    static let limit = 200

    private struct State {
        var count = 0
        var requests: [RecordedRequest] = []
    }

    /// Tells the number of each request that has been kept.
    let topic = Topic<Int>()
    private let state = Mutex(State())

    /// The requests, the newest first.
    var newestFirst: [RecordedRequest] { state.withLock { $0.requests }.reversed() }

    func nextNumber() -> Int {
        state.withLock { state in
            state.count += 1
            return state.count
        }
    }

    func keep(_ recorded: RecordedRequest) {
        state.withLock { state in
            state.requests.append(recorded)
            if state.requests.count > Self.limit { state.requests.removeFirst() }
        }
        topic.publish(recorded.number)
    }
}

extension HTTPField.Name {
    /// The time that the parts of a response have taken, for the tools of a browser (Server Timing, W3C).
    static let serverTiming = known("Server-Timing")
}
