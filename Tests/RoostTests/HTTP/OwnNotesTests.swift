import HTTPTypes
import RoostTesting
import Synchronization
import Testing

@testable import Roost

/// The notes for the log about a request that outlives its response.
@Suite("What a request notes", .quietLog, .timeLimit(.minutes(5)))
struct OwnNotesTests {
    private final class Kept: Sendable {
        private let request = Mutex<Request?>(nil)
        func keep(_ new: Request) { request.withLock { $0 = new } }
        func now() throws -> Request { try #require(request.withLock { $0 }) }
    }

    @Test func `a request that is kept writes nothing into the next one of its connection`() async throws {
        let (kept, traces) = (Kept(), Kept())
        let client = try TestClient { routes in
            routes.get(Path("/first")) { request in
                request.log(accountID: 7)
                request.notes.error = "first"
                #expect(request.notes.accountID == 7)
                #expect(request.notes.error == "first")
                kept.keep(request)
                return request.traceContext.traceID
            }
            routes.get(Path("/second")) { request in
                let first = try kept.now()
                traces.keep(request)
                #expect(request.notes.accountID == nil)
                #expect(request.notes.error == nil)
                first.log(accountID: 8)
                first.notes.error = "late"
                first.notes.route = nil
                #expect(request.notes.accountID == nil)
                #expect(request.notes.error == nil)
                #expect(request.route == "/second")
                #expect(first.route == nil)
                request.log(accountID: 9)
                #expect(request.notes.accountID == 9)
                #expect(first.notes.accountID == nil)
                return first.traceContext.traceID
            }
        }
        let connection = try await client.connection(sending: get("/first") + get("/second"))
        defer { connection.close() }
        let trace = try await connection.readResponse().text
        #expect(try await connection.readResponse().text == trace)
        #expect(try traces.now().traceContext.traceID != trace)
    }
}
