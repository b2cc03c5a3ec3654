import RoostTesting
import Testing

@testable import Roost

/// The router's responses where there is no route.
@Suite("The router", .timeLimit(.minutes(5))) struct RouterTests {
    @Test func `OPTIONS about the server lists all routes' methods, even with a route at the root`() async throws {
        let application = try Application { routes in
            routes.get(Path("/")) { _ in "home" }
            routes.delete(Path("/users")) { _ in "gone" }
        }
        let client = TestClient(application)
        #expect(try await client.request(.options, "*").headers[.allow] == "DELETE, GET, HEAD, OPTIONS")
        #expect(try await client.request(.options, "/").headers[.allow] == "GET, HEAD, OPTIONS")
    }
}
