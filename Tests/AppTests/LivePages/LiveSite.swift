import Glibc
import HTTPTypes
import Roost
import RoostTesting
import Synchronization

/// A server that plays the part of live pages by hand, and notes what browsers ask of it.
final class LiveSite: Sendable {
    typealias Handler = @Sendable (Request) async throws -> Response

    private struct Event {
        var path: String
        var source: Int
        var id: String?
        var json: String
    }

    private struct Stream {
        var pages: [String]
        var events: AsyncStream<ServerSentEvent>.Continuation

        func send(_ event: Event, to page: Int) {
            let place = event.id == nil ? "\(page)" : "\(page).\(event.source)"
            events.yield(ServerSentEvent("\(place)\n\(event.json)", id: event.id))
        }
    }

    private struct State {
        var pages: [String: PlayedPage] = [:]
        var handlers: [String: Handler] = [:]
        var events: [Event] = []
        var streams: [Int: Stream] = [:]
        var opened: [String] = []
        var requests: [String] = []
        var isAway = false
    }

    private static let liveRefresh = HTTPField.Name("Live-Refresh")

    private let state = Mutex(State())
    private let server = Mutex<TestHTTPServer?>(nil)

    static func start() async throws -> LiveSite {
        let site = LiveSite()
        let server = try await TestHTTPServer { routes in
            routes.events(Path("/_live/events")) { request, events in try await site.follow(request, events) }
            routes.fallback { request in
                var response = try await site.response(to: request)
                response.headers[.contentSecurityPolicy] = "default-src 'self'"
                return response
            }
        }
        site.server.withLock { $0 = server }
        return site
    }

    func stop() async throws { try await server.withLock { $0 }?.stop() }

    var url: String { server.withLock { $0?.url("") } ?? "" }

    /// The number of streams that are open now.
    var streams: Int { state.withLock { $0.streams.count } }
    /// The queries of all streams that have been opened.
    var opened: [String] { state.withLock { $0.opened } }
    /// The pages that the open streams follow.
    var followed: [String] { state.withLock { $0.streams.values.flatMap(\.pages).sorted() } }

    /// The number of requests, such as `GET /list` or `refresh /list`.
    func count(_ request: String) -> Int { state.withLock { $0.requests.count { $0 == request } } }

    /// Sets what a path shows.
    func show(_ path: String, _ page: PlayedPage) { state.withLock { $0.pages[path] = page } }

    /// Sets the response to requests, such as `POST /form`.
    func on(_ request: String, _ handler: @escaping Handler) { state.withLock { $0.handlers[request] = handler } }

    /// Publishes an event for those who show a path now or later; without an id it is only for those who do now.
    func publish(_ path: String, source: Int = 0, id: String?, _ json: String) {
        let event = Event(path: path, source: source, id: id, json: json)
        state.withLock { state in
            if id != nil { state.events.append(event) }
            for stream in state.streams.values {
                for (index, page) in stream.pages.enumerated() where page == path { stream.send(event, to: index) }
            }
        }
    }

    /// Ends all streams, and responds with 503 to everything from now on, or no longer.
    func setAway(_ isAway: Bool) {
        state.withLock { state in
            state.isAway = isAway
            if isAway { state.streams.values.forEach { $0.events.finish() } }
        }
    }

    private func follow(_ request: Request, _ writer: EventWriter) async throws {
        let (events, continuation) = AsyncStream<ServerSentEvent>.makeStream()
        let pages = request.query[values: "page"]
        let positions = request.query[values: "after"].map { $0.split(separator: ".") }
        let number: Int? = state.withLock { state in
            state.opened.append(request.queryString ?? "")
            if state.isAway { return nil }
            let stream = Stream(pages: pages, events: continuation)
            for (index, page) in pages.enumerated() {
                for event in state.events where event.path == page {
                    guard let id = event.id.flatMap({ Int($0) }), let last = Int(positions[index][event.source]),
                        id > last
                    else { continue }
                    stream.send(event, to: index)
                }
            }
            state.streams[state.opened.count] = stream
            return state.opened.count
        }
        guard let number else { return }
        defer { state.withLock { _ = $0.streams.removeValue(forKey: number) } }
        for await event in events { try await writer.send(event) }
    }

    private func response(to request: Request) async throws -> Response {
        let isRefresh = Self.liveRefresh.map { request.headers[$0] != nil } ?? false
        let path = request.target
        let name = "\(isRefresh ? "refresh" : request.method.rawValue) \(path)"
        let (page, handler, isAway) = state.withLock { state in
            state.requests.append(name)
            return (state.pages[path], state.handlers[name], state.isAway)
        }
        if path == "/favicon.ico" { return Response(.noContent) }
        if path.hasPrefix("/_live/") {
            return Response(.ok, headers: [.contentType: "text/javascript"], body: Body(LiveScript.text))
        }
        if isAway { return .html("<h1>Away</h1>", status: .serviceUnavailable) }
        if let handler { return try await handler(request) }
        return page?.response ?? .html("<h1>Not found</h1>", status: .notFound)
    }
}
