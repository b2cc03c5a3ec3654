extension Routes {
    /// Declares an event stream (WHATWG HTML, 9.2 Server-sent events): a `GET` whose handler sends events for as long
    /// as the client stays.
    ///
    ///     routes.events(Path("/rooms/{room}/events", Int.self)) { request, events, room in
    ///         try await events.send(rooms[room].subscribe(after: request.lastEventID))
    ///     }
    ///
    /// The handler runs after the head has been sent, so it can no longer choose the status. Make any checks before
    /// that, in middleware or in a `get` route that returns ``Response/events(_:)-(_)``.
    /// - Parameter handler: A function of the request, the writer of the events, and the path's parameters.
    @discardableResult
    public func events<each Parameter: PathParameter>(
        _ path: Path<repeat each Parameter>,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, EventWriter, repeat each Parameter) async throws -> Void
    ) -> DeclaredRoute {
        // Not immediate: only a request that waits lets go of the loop's buffer, and the handler keeps its request.
        let handler: RouteHandler = .waiting { request, context in
            var index = 0
            let values = (repeat try request.parameter((each Parameter).self, &index))
            return .events { events in
                var events = events
                events.render = { try await $0.rendered(for: request, in: context) }
                try await handler(request, events, repeat each values)
            }
        }
        return get.add(path, .collected, file, line, handler, RouteTypes(EventWriter.self))
    }
}
