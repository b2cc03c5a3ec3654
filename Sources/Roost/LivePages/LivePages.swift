import HTTPTypes
import Synchronization

/// The live pages of an application: serves their script, and one event stream for all pages that a browser shows.
///
/// A stream names its pages: `/_live/events?page=%2Fusers&after=17`. Each is asked for by a request of the same client,
/// which passes all middleware as the page's own request does, and arrives at the page's ``LivePageEndpoint``. That
/// returns an event stream instead of the page. So whoever may not see a page may not follow it, and what middleware
/// does to an event stream, such as ending it with its session, it does to this one.
package final class LivePages: Sendable {
    static let eventsPath = "/_live/events"
    /// The most pages of one stream.
    static let maximumPages = 16

    /// One page of a stream.
    struct FollowedPage: Sendable {
        /// The path and the query.
        let url: String
        /// The place in the stream's query.
        let place: Int
        /// The ids of the last events that the page contains.
        let after: String
    }

    /// A page that may be followed.
    struct Opened: Sendable {
        /// Its events.
        let body: LiveBody
        /// The topics that they come from.
        let topics: [ObjectIdentifier]
    }

    private struct Inner {
        weak var router: Router?
        var middleware: [any Middleware] = []
        var context: ResponseContext?
    }

    private let inner = Mutex(Inner())
    /// The time by which rights are looked at again.
    let time = TimeSource.current
    /// The number of streams for each page, in development.
    private let streams = Mutex<[String: Int]>([:])

    /// The viewers of each page, counted by browsers, where somebody looks at timelines.
    var viewers: [String: Int] { streams.withLock { $0 } }

    private func count(_ change: Int, _ pages: [String]) {
        guard !pages.isEmpty else { return }
        streams.withLock { streams in
            for page in pages {
                let count = streams[page, default: 0] + change
                streams[page] = count > 0 ? count : nil
            }
        }
    }

    /// The router, once it is made, and the middleware of the application around it.
    func use(_ router: Router, behind middleware: [any Middleware], in context: ResponseContext) {
        // A line of log for each stream is enough, and nothing here is compressed.
        let middleware = middleware.filter { !($0 is RequestLog) && !($0 is Compression) }
        inner.withLock { $0 = Inner(router: router, middleware: middleware, context: context) }
    }

    // MARK: The stream

    /// Opens the stream of the pages that a query names. One that cannot be answered now does not keep the others from
    /// being followed: the stream leaves it out and ends soon, so that the browser asks for all of them again.
    func respond(to request: Request) async throws -> Response {
        // A stream is no page, however its address is written.
        guard request[LiveProbe.Key.self] == nil else { throw HTTPError(.notFound) }
        let pages = try Self.pages(of: request.query)
        let limits = CountedLimits(of: request)
        var bodies: [LiveBody] = []
        var refused: [Int] = []
        var failure: (any Error)?
        var missed: [Int] = []
        for page in pages {
            do {
                if let opened = try await open(page, for: request, limits) {
                    bodies.append(opened.body)
                } else {
                    refused.append(page.place)
                }
            } catch {
                if error.endsCancelledTask { throw error }
                failure = error
                missed.append(page.place)
            }
        }
        if let failure, bodies.isEmpty { throw failure }
        // An event stream begins with something, so that the client knows that it is open.
        var start = EventWriter.heartbeat
        // It names no source, so it moves no position.
        for place in refused { start += Array("data: \(place)\n".utf8) + (try LiveEvent(.gone).fields(id: nil)) }
        let counted = Timelines.isTurnedOn ? pages.filter { !(refused + missed).contains($0.place) }.map(\.url) : []
        return Response.events { [bodies, start, counted, isPartial = failure != nil] events in
            self.count(1, counted)
            defer { self.count(-1, counted) }
            try await events.body.write(start)
            var works = works(bodies, events.body)
            if isPartial { works.append { try await Task.sleep(for: .seconds(.random(in: 20...40))) } }
            do { try await runUntilOneEnds(works) } catch is LiveRightLost {}
        }
    }

    private static func pages(of query: Form) throws -> [FollowedPage] {
        let urls = query[values: "page"]
        let positions = query[values: "after"]
        guard !urls.isEmpty, urls.count <= maximumPages, urls.count == positions.count else {
            throw HTTPError(.badRequest, "Name from 1 to \(maximumPages) pages, each with its position.")
        }
        return urls.indices.map { FollowedPage(url: urls[$0], place: $0, after: positions[$0]) }
    }

    /// Asks for the events of a page as its client asks for the page.
    /// - Parameter stream: The client's request for the stream. Each of its pages keeps that one, whose fields may be
    ///   large.
    /// - Parameter counted: The limits that have counted the stream, or all if it has the page already. Others count,
    ///   because guards may stand behind them.
    /// - Returns: nil if it is not live, or the client may not see it.
    /// - Throws: ``HTTPError`` when that cannot be known now.
    func open(_ page: FollowedPage, for stream: Request, _ counted: CountedLimits) async throws -> Opened? {
        let inner = inner.withLock { $0 }
        // A path of this site: the other forms of a target name hosts, which nothing here would check.
        guard page.url.utf8.first == UInt8(ascii: "/"), let router = inner.router, let context = inner.context,
            var request = try? stream.asking(for: page.url)
        else { return nil }
        let probe = LiveProbe(page, of: stream, self)
        request[LiveProbe.Key.self] = probe
        request[CountedLimits.Key.self] = counted
        // What a stream asks for must not run any other handler, which no rate limit would count.
        let routes = WaitingResponder {
            guard router.isLive($0) else { throw HTTPError(.notFound) }
            return try await router.respond(to: $0)
        }
        do {
            let response = try await inner.middleware.around(routes, in: context)
                .respondEitherWay(to: request).makingContent(for: request, in: context)
            if response.status.isPassing { throw HTTPError(response.status) }
            guard let body = response.body.lasting as? LiveBody, let topics = probe.topics, !topics.isEmpty
            else { return nil }
            return Opened(body: body, topics: topics)
        } catch {
            guard !error.endsCancelledTask, let known = HTTPError(converting: error) else { throw error }
            if known.status.isPassing { throw known }
            return nil
        }
    }
}

extension HTTPResponse.Status {
    /// Whether a response with it says nothing of what the client may do.
    var isPassing: Bool { kind == .serverError || self == .tooManyRequests || self == .requestTimeout }
}

/// The question of a stream for the events of one page; a request carries it through middleware to the page.
final class LiveProbe: Sendable {
    enum Key: RequestKey { typealias Value = LiveProbe }

    private let page: LivePages.FollowedPage
    private let stream: Request
    private let live: LivePages
    private let found = Mutex<[ObjectIdentifier]?>(nil)

    /// - Parameter stream: The client's request for the stream.
    init(_ page: LivePages.FollowedPage, of stream: Request, _ live: LivePages) {
        self.page = page
        self.stream = stream
        self.live = live
    }

    /// The topics of the page, if the request has arrived there.
    var topics: [ObjectIdentifier]? { found.withLock { $0 } }

    /// The response of a live page that has these sources: its events.
    func response(_ updates: [LiveUpdates]) -> Response {
        let topics = updates.map(\.source.topicID)
        found.withLock { $0 = topics }
        let rights = LiveRights(stream, to: page, following: topics, live)
        let ids = page.after.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return Response.events { [page] events in
            let works: [LiveWork] = updates.enumerated().map { index, updates in
                let id = ids.count == topics.count ? ids[index] : nil
                let viewer = LiveViewer(events.body, page: page.place, source: index, rights)
                return { try await updates.source.follow(after: id, for: viewer) }
            }
            try await runUntilOneEnds(works)
        }
    }
}

/// The writing of one page's events, or of those of one of its sources.
private typealias LiveWork = @Sendable () async throws -> Void

private func works(_ bodies: [LiveBody], _ writer: any BodyWriter) -> [LiveWork] {
    bodies.map { body in { try await body.write(writer) } }
}

/// Runs all at once until one of them ends, which ends the others. Most browsers follow one page with one source, and
/// that costs no task more.
///
/// These functions are small because each viewer that waits keeps the frames of all that wait for it.
private func runUntilOneEnds(_ works: [LiveWork]) async throws {
    if works.count == 1 { try await works[0]() } else { try await runTogether(works) }
}

@inline(never)
private func runTogether(_ works: [LiveWork]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for work in works { group.addTask { try await work() } }
        try await group.next()
        group.cancelAll()
    }
}

extension Routes {
    /// Declares the routes that all live pages of an application share.
    /// - Returns: The path of the script.
    func serve(_ live: LivePages) -> String {
        let script = Array(LiveScript.text.utf8)
        let own = ScriptFingerprint(of: script)
        let path = Path("/_live/live-{fingerprint}.js", ScriptFingerprint.self)
        get(path) { _, asked in
            Response(
                .ok,
                headers: [
                    .contentType: "text/javascript; charset=utf-8",
                    .cacheControl: asked == own ? "public, max-age=31536000, immutable" : "no-cache",
                ],
                body: Body(script))
        }
        get(FixedPath(LivePages.eventsPath)) { request in try await live.respond(to: request) }
        return path.url(own)
    }
}

/// The fingerprint in the script's path. In a page of another version of the program, which an instance beside this one
/// may have sent, it is another one: the page gets this script.
private struct ScriptFingerprint: PathParameter, Equatable {
    let pathSegment: String

    init(of script: [UInt8]) { pathSegment = Fingerprint(of: script).text }

    init?(pathSegment: String) {
        let digits = pathSegment.utf8
        guard digits.count == Fingerprint.digits, digits.allSatisfy(Hexadecimal.isLowercaseDigit) else { return nil }
        self.pathSegment = pathSegment
    }
}
