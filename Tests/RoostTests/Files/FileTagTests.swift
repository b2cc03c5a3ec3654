import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

/// Files with an entity tag of their handler.
@Suite("Tags of files", .timeLimit(.minutes(5)))
struct FileTagTests {
    private static let second = 784_111_777

    /// As a field of the file, or set on the response.
    @Test(arguments: ["/given", "/set", "/below"])
    func `a tag of the handler's own is the one that is compared`(address: String) async throws {
        let folder = try FilesOnDisk()
        folder.write("report.pdf", "0123456789", modified: Self.second)
        let (path, parent) = (folder.path + "/report.pdf", folder.path)
        let client = try TestClient { routes in
            routes.get(Path("/given")) { _ in try Response.file(path, headers: [.eTag: "\"50%\""]) }
            routes.get(Path("/below")) { _ in try Response.file("report.pdf", in: parent, headers: [.eTag: "\"50%\""]) }
            routes.get(Path("/set")) { _ in
                var response = try Response.file(path)
                response.headers[.eTag] = "\"50%\""
                return response
            }
            routes.get(Path("/plain")) { _ in try Response.file(path) }
        }
        let tag = "\"50%\""
        #expect(try await client.get(address).headers[values: .eTag] == [tag])
        let same = try await client.get(address, headers: [.ifNoneMatch: tag])
        #expect(same.status == .notModified && same.headers[.eTag] == tag)
        let other = try #require(try await client.get("/plain").headers[.eTag])
        #expect(try await client.get(address, headers: [.ifNoneMatch: other]).status == .ok)
        #expect(try await client.get(address, headers: [.ifMatch: tag]).status == .ok)
        #expect(try await client.get(address, headers: [.ifMatch: other]).status == .preconditionFailed)
        let part = try await client.get(address, headers: [.range: "bytes=2-3", .ifRange: tag])
        #expect(part.status == .partialContent && part.text == "23")
        let whole = try await client.get(address, headers: [.range: "bytes=2-3", .ifRange: other])
        #expect(whole.status == .ok && whole.text == "0123456789")
    }

    /// A client that has a part of one may not go on with the other.
    @Test func `a tag of the handler's own says nothing of the bytes of a compressed copy`() async throws {
        let folder = try FilesOnDisk()
        folder.write("a.css", "plain", modified: Self.second)
        folder.write("a.css.br", "brotli", modified: Self.second)
        let path = folder.path
        let client = try TestClient { routes in
            routes.get(Path("/")) { _ in try Response.file("a.css", in: path, headers: [.eTag: "\"7\""]) }
        }
        for (coding, text) in [("br", "brotli"), ("identity", "la")] {
            let response = try await client.get(
                "/", headers: [.acceptEncoding: coding, .range: "bytes=1-2", .ifRange: "\"7\""])
            #expect(response.text == text)
            let same = try await client.get("/", headers: [.acceptEncoding: coding, .ifNoneMatch: "\"7\""])
            #expect(same.status == .notModified)
        }
    }
}
