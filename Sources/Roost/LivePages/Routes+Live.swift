extension Routes {
    /// Makes a page live: its viewers see the changes that a topic announces, without a script of your own.
    ///
    ///     routes.get(Self.all, use: index)
    ///     routes.live(Self.all, on: users.changes) { change in "\(change.user.name) has changed." }
    ///
    /// After each event, browsers fetch the page again, at most once a second, and turn its live elements, which have
    /// an id and the attribute `data-live`, into the new ones. The layout loads the script by `{{liveScript}}`.
    ///
    /// A stream of events passes the same middleware as the page, wherever this is declared.
    /// - Parameters:
    ///   - path: The path of a `GET` route.
    ///   - topic: The topic; each of its events makes browsers fetch the page again.
    ///   - news: Makes the sentence that screen readers read out, in the page's element with `data-live-news`; nil for
    ///     none.
    ///   - sharedBy: Returns a name for all viewers who see the same page: after an event, requests with the same name,
    ///     target, host, `Accept` and `Accept-Language` share one rendering. Requests with a cookie or with
    ///     `Authorization` never do. nil, the default, for a page that is made for each viewer.
    public func live<each Parameter: PathParameter, Event: Sendable>(
        _ path: Path<repeat each Parameter>, on topic: any TopicProtocol<Event>,
        news: @escaping @Sendable (Event) -> String? = { _ in nil },
        sharedBy: @escaping @Sendable (Request) -> String? = { _ in nil },
        file: String = #fileID, line: UInt = #line
    ) {
        let updates = [LiveUpdates.refreshes(on: topic, news: news)]
        addLive(path, sharedBy, SourceLocation(file: file, line: line), .immediate { _ in updates })
    }

    /// Makes a page live that only some events of a topic concern, which depends on the parameters of its path:
    ///
    ///     routes.live(Self.one, on: users.changes, where: { change, id in change.user.id == id })
    ///
    /// - Parameters:
    ///   - isMeant: Returns whether an event concerns the page. It is called for each event and each viewer.
    ///   - news: As for a page that every event concerns.
    ///   - sharedBy: As there.
    public func live<each Parameter: PathParameter, Event: Sendable>(
        _ path: Path<repeat each Parameter>, on topic: any TopicProtocol<Event>,
        where isMeant: @escaping @Sendable (Event, repeat each Parameter) -> Bool,
        news: @escaping @Sendable (Event) -> String? = { _ in nil },
        sharedBy: @escaping @Sendable (Request) -> String? = { _ in nil },
        file: String = #fileID, line: UInt = #line
    ) {
        let sources = LiveSources.part(of: [.refreshes(on: topic)]) { request in
            var index = 0
            let values = (repeat try request.parameter((each Parameter).self, &index))
            return [.refreshes(on: topic, where: { isMeant($0, repeat each values) }, news: news)]
        }
        addLive(path, sharedBy, SourceLocation(file: file, line: line), sources)
    }

    /// Makes a page live: its viewers see what the application publishes by a ``LivePage``.
    public func live<each Parameter: PathParameter>(
        _ path: Path<repeat each Parameter>, on page: LivePage, file: String = #fileID, line: UInt = #line
    ) {
        let updates = [LiveUpdates.patches(of: page)]
        addLive(path, { _ in nil }, SourceLocation(file: file, line: line), .immediate { _ in updates })
    }

    /// Makes a page live that has several sources, or whose sources depend on the request:
    ///
    ///     routes.live(Self.path) { _ in [.refreshes(on: users.changes), .refreshes(on: rooms.changes)] }
    ///
    /// - Parameter follow: Returns the sources, of the request and the path's parameters. For one viewer they must
    ///   always be the same, in the same order; when they change, the stream is opened again. The function may throw an
    ///   ``HTTPError`` where the handler of the page would refuse the viewer.
    public func live<each Parameter: PathParameter>(
        _ path: Path<repeat each Parameter>,
        sharedBy: @escaping @Sendable (Request) -> String? = { _ in nil },
        file: String = #fileID, line: UInt = #line,
        use follow: @escaping @Sendable (Request, repeat each Parameter) throws -> [LiveUpdates]
    ) {
        let sources = LiveSources.immediate { request in
            var index = 0
            let values = (repeat try request.parameter((each Parameter).self, &index))
            return try follow(request, repeat each values)
        }
        addLive(path, sharedBy, SourceLocation(file: file, line: line), sources)
    }

    /// Makes a page live whose sources have to be waited for; each request for the page then waits for them.
    public func live<each Parameter: PathParameter>(
        _ path: Path<repeat each Parameter>,
        sharedBy: @escaping @Sendable (Request) -> String? = { _ in nil },
        file: String = #fileID, line: UInt = #line,
        use follow: @escaping @Sendable (Request, repeat each Parameter) async throws -> [LiveUpdates]
    ) {
        let sources = LiveSources.waiting { request in
            var index = 0
            let values = (repeat try request.parameter((each Parameter).self, &index))
            return try await follow(request, repeat each values)
        }
        addLive(path, sharedBy, SourceLocation(file: file, line: line), sources)
    }

    private func addLive<each Parameter: PathParameter>(
        _ path: Path<repeat each Parameter>, _ sharedBy: @escaping @Sendable (Request) -> String?,
        _ source: SourceLocation, _ sources: LiveSources
    ) {
        let wrapper = RouteWrapper(source: source) { LivePageEndpoint($0, sources, sharedBy) }
        add(wrapper, at: path)
    }
}

/// The function that returns the sources of a live page.
enum LiveSources: Sendable {
    /// It never waits: a page costs no task for its sources.
    case immediate(@Sendable (Request) throws -> [LiveUpdates])
    /// Only some events of these concern the page. Its position is the same as if all did, and costs no look at which.
    case part(of: [LiveUpdates], @Sendable (Request) throws -> [LiveUpdates])
    case waiting(@Sendable (Request) async throws -> [LiveUpdates])

    func updates(for request: Request) async throws -> [LiveUpdates] {
        switch self {
        case .immediate(let find), .part(_, let find): try find(request)
        case .waiting(let find): try await find(request)
        }
    }
}
