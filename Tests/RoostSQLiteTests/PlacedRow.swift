import Roost
import RoostSQL
import RoostTesting
import Synchronization
import Testing

/// A row that knows whether an event loop has read it, and what a test of that needs.
struct PlacedRow: Decodable, Sendable {
    let id: Int
    let isOnLoop: Bool

    init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .id)
        isOnLoop = EventLoop.current != nil
    }

    private enum Key: CodingKey { case id }

    /// The loop has never read in place, as on a file system that cannot tell what is in memory.
    struct NeverOnLoop: Error {}

    /// Runs a body on an event loop.
    static func onLoop(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let failure = Mutex<(any Error)?>(nil)
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/")) { _ in
                do { try await body() } catch { failure.withLock { $0 = error } }
                return HTTPResponse.Status.noContent
            }
        }
        let client = TestClient(application)
        let response = try await client.get("/")
        #expect(response.status == .noContent)
        try await client.stop()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// Repeats a query until it is run on the loop, whose connection a thread opens meanwhile.
    static func warm(_ database: Database, _ sql: SQL = "SELECT id FROM users LIMIT 1") async throws {
        for _ in 0..<100_000 where try await database.first(sql, as: PlacedRow.self)?.isOnLoop == true { return }
        throw NeverOnLoop()
    }
}
