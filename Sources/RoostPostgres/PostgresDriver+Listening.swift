import RoostSQL

extension PostgresDriver: NotifyingDriver {
    /// Listens over a connection of its own, which is replaced as often as necessary.
    package func listen(to channel: String, _ body: @Sendable (String?) -> Void) async throws {
        for try await event in notifications(on: [channel]) {
            switch event {
            case .listening: body(nil)
            case .notification(_, let payload): body(payload)
            }
        }
    }
}
