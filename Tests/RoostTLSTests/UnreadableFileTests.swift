import Glibc
import RoostTesting
import Testing

@testable import Roost
@testable import RoostTLS

/// Files that cannot be read while they are sent, as after an error of the disk.
@Suite("Files that cannot be read", .timeLimit(.minutes(5)))
struct UnreadableFileTests {
    private let site: TLSSite
    private let folder: CertificateFolder

    init() async throws {
        let folder = try CertificateFolder()
        self.folder = folder
        site = try await TLSSite(routes: { routes in
            routes.get(Path("/file/{size}", Int.self)) { _, size -> Response in
                let path = folder.write("file", [UInt8](repeating: 1, count: size))
                let entry = try OpenFile.entry(open(path, O_WRONLY), in: FileBudget(4))
                return Response(body: Body(FilePart(try #require(entry?.file))))
            }
        })
    }

    private func expectLine(_ size: Int) {
        let line = "127.0.0.1 GET /file/\(size): A file could not be sent completely: Bad file descriptor."
        #expect(site.log.all.filter { $0.contains("A file could not be sent") } == [line])
    }

    @Test(arguments: [100, 200_000])
    func `are logged with the error and their request, over TLS`(size: Int) async throws {
        let client = try await site.connect()
        try await client.send("GET /file/\(size) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(String(decoding: try await client.read().bytes, as: UTF8.self).hasSuffix("\r\n\r\n"))
        expectLine(size)
    }

    @Test(arguments: [100, 200_000])
    func `are logged with the error and their request, over HTTP/2`(size: Int) async throws {
        let client = try await HTTP2Client(to: site.server, from: .loopback)
        let response = try await client.request("/file/\(size)")
        #expect(response.status == "200" && response.reset == 2 && response.body.isEmpty)
        expectLine(size)
    }
}
