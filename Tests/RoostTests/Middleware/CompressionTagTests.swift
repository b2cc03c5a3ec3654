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

    @Test(arguments: ["identity", "gzip"])
    func `304 for the description of an API has the fields of the description`(encoding: String) async throws {
        let api = APIDescription(title: "Nests", version: "1", about: String(repeating: "long ", count: 300))
        let application = try Application(api: api, middleware: [Compression()]) { routes in
            routes.get(Path("/nests")) { _ in "oak" }.describe("Lists the nests.")
        }
        let client = TestClient(application)
        for path in ["/api/openapi.json", "/api/docs"] {
            let whole = try await client.get(path, headers: [.acceptEncoding: encoding])
            let tag = try #require(whole.headers[.eTag])
            for known in [tag, "*", tag.replacing("W/", with: "")] {
                let second = try await client.get(path, headers: [.acceptEncoding: encoding, .ifNoneMatch: known])
                #expect(second.status == .notModified)
                for name in [HTTPField.Name.eTag, .vary, .cacheControl] {
                    #expect(second.headers[name] == whole.headers[name], "\(name) of \(path), \(known)")
                }
            }
            let other = try await client.get(path, headers: [.ifMatch: "\"x\""])
            #expect(other.status == .preconditionFailed)
        }
    }
}
