import HTTPTypes
import Roost
import RoostTesting
import Testing

@Suite("Tags of compressed responses", .timeLimit(.minutes(5)))
struct CompressionTagTests {
    @Test(arguments: [("W/\",\"", "W/\",\""), ("\",\"", "\",\""), ("\"W/\",\"7\", \",\"", "\",\"")])
    func `304 of a handler has a weak tag only if the client's list has that`(list: String, tag: String) async throws {
        let client = try TestClient(middleware: [Compression()]) { routes in
            routes.get(Path("/")) { request in
                let tag = EntityTag(",")
                return request.isFresh(tag) ? Response(.notModified, headers: [.eTag: "\(tag)"]) : Response(.ok)
            }
        }
        let response = try await client.get("/", headers: [.acceptEncoding: "gzip", .ifNoneMatch: list])
        #expect(response.status == .notModified && response.headers[.eTag] == tag)
    }
}
