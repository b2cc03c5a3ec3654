import HTTPTypes

/// The endpoint of a live page, around its handler: the page learns its position among the events before it is made,
/// and those who see the same share one rendering after an event.
final class LivePageEndpoint: Responder {
    private let page: any Responder
    private let sources: LiveSources
    private let sharedBy: @Sendable (Request) -> String?
    private let renderings = SharedRenderings()

    init(_ page: any Responder, _ sources: LiveSources, _ sharedBy: @escaping @Sendable (Request) -> String?) {
        self.page = page
        self.sources = sources
        self.sharedBy = sharedBy
    }

    func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
        guard request[LiveProbe.Key.self] == nil else { return .waiting(self) }
        let updates: [LiveUpdates]
        switch sources {
        case .immediate(let find):
            do { updates = try find(request) } catch { updates = try Self.updates(after: error) }
        case .part(let all, _): updates = all
        case .waiting: return .waiting(self)
        }
        return try respond(to: &request, showing: updates)
    }

    func respond(to request: Request) async throws -> Response {
        if let probe = request[LiveProbe.Key.self] { return probe.response(try await sources.updates(for: request)) }
        var request = request
        let updates: [LiveUpdates]
        do { updates = try await sources.updates(for: request) } catch { updates = try Self.updates(after: error) }
        switch try respond(to: &request, showing: updates) {
        case .ready(let response): return response
        case .waiting(let responder): return try await responder.respond(to: request)
        }
    }

    /// The sources of a page after a failure: none if that refuses the viewer, as for a path that does not parse, which
    /// the handler refuses, too.
    /// - Throws: Any other failure: the page would never be told of anything.
    private static func updates(after error: any Error) throws -> [LiveUpdates] {
        guard !error.endsCancelledTask, HTTPError(converting: error)?.status.isPassing == false else { throw error }
        return []
    }

    private func respond(to request: inout Request, showing updates: [LiveUpdates]) throws -> ImmediateResponse {
        let position = LivePosition(updates)
        request[LivePositionKey.self] = position
        guard let key = SharedRenderings.Key(request, position, sharedBy) else {
            return try page.respondWithoutWaiting(to: &request)
        }
        return .waiting(
            WaitingResponder { [page, renderings] request in
                try await renderings.response(key) { try await page.respondEitherWay(to: request) }
            })
    }
}

extension SharedRenderings.Key {
    /// The key of a request; nil for one whose page is made for it alone.
    fileprivate init?(_ request: Request, _ position: LivePosition?, _ sharedBy: (Request) -> String?) {
        guard let seen = request.headers[.liveRefresh], request.method == .get,
            // Values of every page, such as who is signed in and what has just been done, depend on these.
            request.headers[.cookie] == nil, request.headers[.authorization] == nil, let group = sharedBy(request)
        else { return nil }
        // Another instance may have told the viewer of an event that this one does not know yet.
        let known = seen.split(separator: ".").compactMap { Int($0) }
        let ids = position?.ids ?? []
        guard known.count == ids.count, zip(ids, known).allSatisfy({ $0 >= $1 }) else { return nil }
        self.init(
            target: ExactText(request.target), host: ExactText("\(request.scheme) \(request.authority)"),
            group: ExactText(group), accept: ExactText(request.headers[.accept] ?? ""),
            language: ExactText(request.headers[.acceptLanguage] ?? ""), ids: ids)
    }
}

extension LivePosition {
    /// The position of a page; nil for one without sources.
    fileprivate convenience init?(_ updates: [LiveUpdates]) {
        guard let first = updates.first else { return nil }
        self.init(
            first.source.lastID, updates.count == 1 ? [] : updates.dropFirst().map(\.source.lastID))
    }
}
