import FoundationEssentials
import Glibc
import HTTPTypes
import Processes
import Roost
import RoostTesting
import Testing

/// Faults of the site's data or its file: a sentence in the log, 503 with `Retry-After` to the client,
/// recovery without a restart, and no acknowledged write lost. The figures are printed.
@Suite("Faults of the storage", .quietLog, .timeLimit(.minutes(10)))
struct StorageFaultTests {
    /// A folder that is removed at the end.
    private static func withFolder(_ body: (String) async throws -> Void) async throws {
        var template = Array("/tmp/roost-storage-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private static func expectUnavailable(_ response: WireClient.Response) {
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
            let found = try await WireClient(port: second.port).userNames()
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
            var refusal: WireClient.Response?
            for number in 0..<1000 where refusal == nil {
                let name = "\(number)" + String(repeating: "x", count: 90)
                let response = try await member.add(name)
                if response.status == .created { acknowledged.insert(name) } else { refusal = response }
            }
            Self.expectUnavailable(try #require(refusal))
            // The log has a thread of its own.
            while !Self.log(folder).contains("The database is unavailable: disk I/O error") { try await turn() }
            #expect(try await member.client.userNames() == acknowledged)
            try await site.limitFileSize("unlimited")
            #expect(try await member.add("room").status == .created)
            print("storage faults: a file at its limit: \(acknowledged.count) acknowledged, all found, 503 meanwhile")
            #expect(try await site.terminate() == "0")
            let second = try await SiteProcess.start(["DATA_DIR": folder], under: SiteProcess.quiet)
            #expect(try await WireClient(port: second.port).userNames() == acknowledged.union(["room"]))
            #expect(try await second.terminate() == "0")
        }
    }

    @Test func `a database mistake that waiting cannot fix stops the start with a sentence and code 78`() async throws {
        try await Self.withFolder { folder in
            try Data(String(repeating: "no database ", count: 1000).utf8).write(to: URL(filePath: folder + "/text"))
            mkdir(folder + "/inner", 0o700)
            let faults = [
                ("text", "The SQLite file cannot be used: file is not a database (\(folder)/text). Restore a backup"),
                ("not/there/x", "The folder of the SQLite file \(folder)/not/there/x cannot be used: No such file"),
                ("inner", "The SQLite file \(folder)/inner cannot be opened: Is a directory"),
            ]
            for (path, sentence) in faults {
                try await Self.expectMistake(sentence, ["DATA_DIR": folder, "DATABASE_URL": "sqlite:\(path)"])
            }
        }
    }

    @Test(.enabled(if: unprivileged != nil, "it needs setpriv, or not to be root, and files that others may read"))
    func `a file that its user may not use stops the start with a sentence and code 78`() async throws {
        try await Self.withFolder { folder in
            let first = try await SiteProcess.start(["DATA_DIR": folder])
            #expect(try await first.terminate() == "0")
            let variables = ["DATA_DIR": folder, "DATABASE_URL": "sqlite:roost.sqlite"]
            let path = folder + "/roost.sqlite"
            chmod(folder, 0o555)
            chmod(path, 0o444)
            let user = Self.unprivileged ?? []
            try await Self.expectMistake("(\(path)). Allow the program's user to write it", variables, under: user)
            chmod(folder, 0o000)
            try await Self.expectMistake("Permission denied", variables, under: user)
            chmod(folder, 0o777)
            chmod(path, 0o666)
            try await Self.expectMistake("The folder \(folder)/pictures cannot be read", variables, under: user)
            chmod(folder + "/pictures", 0o777)
            let site = try await SiteProcess.start(variables, under: SiteProcess.quiet + user)
            #expect(try await WireClient(port: site.port).userNames() == ["Nelson", "Cathy"])
            #expect(try await site.terminate() == "0")
        }
    }

    @Test(.enabled(if: unprivileged != nil, "it needs setpriv, or not to be root, and files that others may read"))
    func `a file that its user may only read is told by the start and by check, and so is one beside it`()
        async throws
    {
        try await Self.withFolder { folder in
            let first = try await SiteProcess.start(["DATA_DIR": folder])
            #expect(try await first.terminate() == "0")
            let variables = ["DATA_DIR": folder, "DATABASE_URL": "sqlite:roost.sqlite"]
            let path = folder + "/roost.sqlite"
            for name in [folder, folder + "/pictures"] { chmod(name, 0o777) }
            chmod(path, 0o444)
            let user = Self.unprivileged ?? []
            let sentence = "The SQLite database can only be read. Allow the program's user to write \(path)"
            let unwritable = try await SiteProcess.fail(variables, ["check"], under: user)
            #expect(unwritable.code == "1" && unwritable.output.contains(sentence + "."), "\(unwritable)")
            let site = try await SiteProcess.start(variables, under: user)
            #expect(try await WireClient(port: site.port).userNames() == ["Nelson", "Cathy"])
            site.signal(SIGTERM)
            let output = try await site.output + site.ending().output
            #expect(output.ranges(of: sentence).count == 1, "\(output)")
            // What is left of that time beside a file that can be written again.
            chmod(path, 0o666)
            for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
            close(open(path + "-shm", O_CREAT | O_WRONLY, 0o444))
            let left = try await SiteProcess.fail(variables, ["check"], under: user)
            #expect(left.code == "1" && left.output.contains(sentence + "-shm."), "\(left)")
            unlink(path + "-shm")
            let mended = try await SiteProcess.fail(variables, ["check"], under: user)
            #expect(!mended.output.contains("can only be read"), "\(mended)")
        }
    }

    private static func expectMistake(
        _ sentence: String,
        _ variables: [String: String],
        under prefix: [String] = []
    ) async throws {
        let (output, code) = try await SiteProcess.fail(variables, under: prefix)
        #expect(code == "78", "\(output)")
        #expect(output.contains(sentence), "\(output)")
        #expect(output.split(separator: "\n").count == 1, "\(output)")
    }

    /// With the log in a file, which has room for everything.
    private static func logging(to folder: String) -> [String] {
        ["sh", "-c", "exec \"$0\" \"$@\" 2>\(folder)/log"]
    }

    private static func log(_ folder: String) -> String {
        FileManager.default.contents(atPath: folder + "/log").map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The command that runs a program as a user to whom permissions apply; nil if that is not possible.
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
