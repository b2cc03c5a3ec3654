import HTTPTypes
import Testing

import struct FoundationEssentials.Data
import class FoundationEssentials.FileManager
import struct FoundationEssentials.URL
import struct FoundationEssentials.UUID

@testable import Roost

/// Which paths name a file of the folder.
@Suite("Static files") struct StaticFilesTests {
    /// The status of the answer for a path, in a folder with a folder in it whose name ends with U+0600.
    private static func status(of path: String) async throws -> HTTPResponse.Status {
        let folder = FileManager.default.temporaryDirectory.path + "/roost-static-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/a\u{600}", withIntermediateDirectories: true)
        for name in ["page", ".env", "a\u{600}/page", "a\u{600}/.env"] {
            try Data("text".utf8).write(to: URL(filePath: folder + "/" + name))
        }
        let bytes = MessageBytes(copying: Array(get(path).utf8)[...])
        var parser = RequestParser()
        var cursor = 0
        let parsed = try #require(try parser.next(in: bytes, at: &cursor))
        do {
            return try await StaticFiles(folder).respond(to: Request(head: parsed.head, body: Body())).status
        } catch let error as HTTPError {
            return error.status
        }
    }

    @Test(arguments: ["/page", "/a%D8%80/page", "/a%D8%80%2Fpage"])
    func `a path names a file`(path: String) async throws {
        #expect(try await Self.status(of: path) == .ok)
    }

    @Test(arguments: ["/.env", "/%2Eenv", "/a%D8%80/.env", "/a%D8%80%2F.env", "/a%D8%80%2F..%2Fpage"])
    func `a hidden file is unknown, also behind a letter that joins the slash`(path: String) async throws {
        #expect(try await Self.status(of: path) == .notFound)
    }
}
