import FoundationEssentials
import Glibc
import HTTPTypes
import Roost
import RoostTesting
import Testing

/// What happens to the site's data and its file: a sentence in the log, 503 with `Retry-After` to the client, recovery
/// without a restart, and no acknowledged write lost. The figures are printed.
@Suite("Faults of the storage", .timeLimit(.minutes(10)))
struct StorageFaultTests {
    /// A folder that is removed at the end.
    private static func withFolder(_ body: (String) async throws -> Void) async throws {
        var template = Array("/tmp/roost-storage-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    /// Asks until the answer is a 200.
    private static func waitUntilRecovered(_ client: HTTPClient) async throws {
        while try await client.get("/users/1").status != .ok { await Task.yield() }
    }

    private static func expectUnavailable(_ response: HTTPClient.Response) {
        #expect(response.status == .serviceUnavailable)
        #expect(response.headers[.retryAfter] == "2")
        #expect(!response.text.contains("sqlite"))
    }

    @Test func `kill -9 during 1,000 writes: every acknowledged one is found`() async throws {
        try await Self.withFolder { folder in
            let site = try await SiteProcess.start(["DATA_DIR": folder, "WORKERS": "2"], under: SiteProcess.quiet)
            let member = try await Member(site)
            let acknowledged = Names(["Nelson", "Cathy"])
            await withTaskGroup { group in
                for writer in 0..<20 {
                    group.addTask {
                        for number in 0..<50 {
                            let name = "writer \(writer), write \(number)"
                            guard let response = try? await member.add(name), response.status == .created else {
                                return
                            }
                            if acknowledged.insert(name) == 500 { site.signal(SIGKILL) }
                        }
                    }
                }
            }
            let kept = acknowledged.all
            #expect(try await site.exitCode() == "137")
            let second = try await SiteProcess.start(["DATA_DIR": folder], under: SiteProcess.quiet)
            let found = try await HTTPClient(port: second.port).userNames()
            print(
                "storage faults: kill -9: \(kept.count) acknowledged, \(found.intersection(kept).count) found of them, "
                    + "\(found.count) found in all")
            #expect(kept.count >= 500)
            #expect(kept.isSubset(of: found))
            #expect(try await second.terminate() == "0")
        }
    }

    @Test func `a file that cannot grow: 503, reading goes on, and writing when it can`() async throws {
        try await Self.withFolder { folder in
            let site = try await SiteProcess.start(["DATA_DIR": folder], under: Self.logging(to: folder))
            let member = try await Member(site)
            try await site.limitFileSize("300000")
            var acknowledged: Set<String> = ["Nelson", "Cathy"]
            var refusal: HTTPClient.Response?
            for number in 0..<1000 where refusal == nil {
                let name = "\(number)" + String(repeating: "x", count: 90)
                let response = try await member.add(name)
                if response.status == .created { acknowledged.insert(name) } else { refusal = response }
            }
            Self.expectUnavailable(try #require(refusal))
            #expect(Self.log(folder).contains("The database is unavailable: disk I/O error"))
            #expect(try await member.client.userNames() == acknowledged)
            try await site.limitFileSize("unlimited")
            #expect(try await member.add("room").status == .created)
            print("storage faults: a file at its limit: \(acknowledged.count) acknowledged, all found, 503 meanwhile")
            #expect(try await site.terminate() == "0")
            let second = try await SiteProcess.start(["DATA_DIR": folder], under: SiteProcess.quiet)
            #expect(try await HTTPClient(port: second.port).userNames() == acknowledged.union(["room"]))
            #expect(try await second.terminate() == "0")
        }
    }

    @Test func `a file that is no database, until it is away`() async throws {
        try await Self.withFolder { folder in
            let path = folder + "/roost.sqlite"
            try Data(String(repeating: "no database ", count: 1000).utf8).write(to: URL(filePath: path))
            let site = try await SiteProcess.start(["DATA_DIR": folder], under: Self.logging(to: folder))
            #expect(Self.log(folder).contains("The database is damaged: file is not a database"))
            let client = HTTPClient(port: site.port)
            Self.expectUnavailable(try await client.get("/users"))
            #expect(try await client.get("/").status == .ok)
            // In one step: the site may look at any moment.
            try Data().write(to: URL(filePath: path + ".empty"))
            #expect(rename(path + ".empty", path) == 0)
            try await Self.waitUntilRecovered(client)
            #expect(try await client.userNames() == ["Nelson", "Cathy"])
            #expect(try await site.terminate() == "0")
        }
    }

    @Test func `a folder that is missing, until it is there`() async throws {
        try await Self.withFolder { folder in
            let site = try await SiteProcess.start(["DATA_DIR": folder + "/not/there"], under: Self.logging(to: folder))
            #expect(Self.log(folder).contains("The database is unavailable: unable to open database file"))
            let client = HTTPClient(port: site.port)
            Self.expectUnavailable(try await client.get("/users"))
            try FileManager.default.createDirectory(atPath: folder + "/not/there", withIntermediateDirectories: true)
            try await Self.waitUntilRecovered(client)
            #expect(try await site.terminate() == "0")
        }
    }

    @Test(.enabled(if: unprivileged != nil, "it needs setpriv, or not to be root, and files that others may read"))
    func `a file that may only be read: pages are there, writing is 503, until it may be written`() async throws {
        try await Self.withFolder { folder in
            let first = try await SiteProcess.start(["DATA_DIR": folder])
            #expect(try await first.terminate() == "0")
            let path = folder + "/roost.sqlite"
            chmod(folder, 0o555)
            chmod(path, 0o444)
            let program = Self.logging(to: folder) + (Self.unprivileged ?? [])
            let site = try await SiteProcess.start(["DATA_DIR": folder], under: program)
            let client = HTTPClient(port: site.port)
            Self.expectUnavailable(try await client.get("/users/1"))
            #expect(Self.log(folder).contains("The migrations wait: The database"))
            chmod(folder, 0o777)
            chmod(path, 0o666)
            try await Self.waitUntilRecovered(client)
            #expect(try await site.terminate() == "0")
        }
    }

    /// With the log in a file, which takes as much as there is to say.
    private static func logging(to folder: String) -> [String] {
        ["sh", "-c", "exec \"$0\" \"$@\" 2>\(folder)/log"]
    }

    private static func log(_ folder: String) -> String {
        FileManager.default.contents(atPath: folder + "/log").map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// What runs a program as somebody whom permissions concern; nil where that is not possible.
    static let unprivileged: [String]? = {
        guard geteuid() == 0 else { return [] }
        guard access("/usr/bin/setpriv", X_OK) == 0 else { return nil }
        var folder = Site.root
        while let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
            var status = stat()
            guard stat(folder, &status) == 0, status.st_mode & 0o005 == 0o005 else { return nil }
            folder = String(folder[..<slash])
        }
        return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    }()
}
