import CLibevent
import Glibc
import RoostTesting
import Testing

@testable import Roost

@Suite("Files that nothing refers to", .timeLimit(.minutes(5)))
struct UnusedFilesTests {
    private static func names(_ folder: String) throws -> [String] {
        try FileFolder(folder, .process).names(writtenUpTo: .max).sorted()
    }

    @Test func `are removed from a folder when they are old enough`() async throws {
        let folder = "/tmp/roost-unused-\(getpid())/a/b"
        defer {
            for name in (try? Self.names(folder)) ?? [] { unlink(folder + "/" + name) }
            for path in [folder, String(folder.dropLast(2)), String(folder.dropLast(4))] { rmdir(path) }
        }
        let store = FolderFileStore(folder)
        try store.open()
        for name in ["used.png", "unused.png", "new.png"] {
            try await store.save(UploadedFile(name: "", [1]), as: name)
        }
        let longest = String(repeating: "a", count: 200)
        let parts = [".half.png.x1", ".\(longest).3w5e11264sgsf"]
        let others = ["not ours", ".gitkeep", ".half.png.", ".half.png.X"]
        for name in parts + others + [".."] {
            close(open(folder + "/" + name, O_CREAT | O_WRONLY, 0o600))
        }
        for name in ["used.png", "unused.png"] + parts + others {
            var times = [timespec(tv_sec: 1000, tv_nsec: 0), timespec(tv_sec: time(nil) - 7200, tv_nsec: 0)]
            #expect(utimensat(AT_FDCWD, folder + "/" + name, &times, 0) == 0)
        }
        let count = try await store.removeUnused(olderThan: .hours(1)) { names in
            #expect(names.sorted() == ["unused.png", "used.png"])
            return ["used.png", "other.png"]
        }
        #expect(count == 3)
        #expect(try Self.names(folder) == (["new.png", "used.png"] + others).sorted())
    }

    @Test func `what would take the last room gets 507, before an instance is unready`() async throws {
        // An instance is ready with 64 MiB (`HealthCheck.diskSpace`).
        #expect(FileWriting.reserve > 64 << 20)
        let folder = "/tmp/roost-reserve-\(getpid())"
        defer {
            unlink(folder + "/a")
            rmdir(folder)
        }
        try await FolderFileStore(folder, leaving: 0).save(UploadedFile(name: "", [1]), as: "a")
        let error = await #expect(throws: HTTPError.self) {
            try await FolderFileStore(folder, leaving: .max).save(UploadedFile(name: "", [1]), as: "b")
        }
        #expect(error?.status.code == 507)
        #expect(try Self.names(folder) == ["a"])
    }

    @Test func `a file that cannot be made says whether there is no room, or nothing left to open it with`() {
        let status = { (code: Int32) in (FileWriting.error(code) as? HTTPError)?.status.code }
        #expect([ENOSPC, EDQUOT, EFBIG].map(status) == [507, 507, 507])
        #expect([EMFILE, ENFILE, ENOMEM].map(status) == [503, 503, 503])
        #expect(status(EIO) == nil)
    }

    @Test func `a file beyond the limit on its size gets 507, and does not end the program`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            // Whoever has started this process may ignore the signal, and threads that run tasks block it.
            signal(SIGXFSZ, SIG_DFL)
            var all = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_UNBLOCK, &all, nil)
            var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
            guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(1) }
            let thread = try LoopThread(name: "roost-test") {
                do {
                    try TemporaryFile().append([UInt8](repeating: 1, count: 2000))
                    _exit(2)
                } catch {
                    _exit((error as? HTTPError)?.status.code == 507 ? 7 : 3)
                }
            }
            thread.join()
        }
    }

    @Test func `files in memory keep to the conditions of a request`() async throws {
        let store = MemoryFileStore()
        try await store.save(UploadedFile(name: "", [1]), as: "a")
        let client = TestClient(
            try Application(middleware: []) { routes in
                routes.get(Path("/a")) { request in
                    try await store.response(to: request, for: "a", contentType: "text/plain") ?? Response(.notFound)
                }
            })
        let tag = try #require(try await client.get("/a").headers[.eTag])
        #expect(try await client.get("/a", headers: [.ifMatch: tag]).status == .ok)
        #expect(try await client.get("/a", headers: [.ifMatch: "\"x\""]).status == .preconditionFailed)
        let both: Headers = [.ifMatch: "\"x\"", .ifNoneMatch: tag]
        #expect(try await client.get("/a", headers: both).status == .preconditionFailed)
        #expect(try await client.get("/a", headers: [.ifNoneMatch: tag]).status == .notModified)
    }

    @Test func `temporary files leave a part of a small file system`() {
        var facts = statvfs()
        (facts.f_frsize, facts.f_blocks, facts.f_bavail) = (4096, 1 << 14, 1 << 13)
        #expect(facts.allBytes == 64 << 20 && facts.freeBytes == 32 << 20)
        #expect(TemporaryFile.reserve(facts) == 16 << 20)
        (facts.f_blocks, facts.f_bavail) = (.max, .max)
        #expect(TemporaryFile.reserve(facts) == FileWriting.reserve)
    }

    @Test func `nothing is removed when nobody can say what is used`() async throws {
        struct Unknown: Error {}
        let store = MemoryFileStore()
        try await store.save(UploadedFile(name: "", [1]), as: "a")
        await #expect(throws: Unknown.self) { try await store.removeUnused(olderThan: .zero) { _ in throw Unknown() } }
        #expect(try await store.removeUnused(olderThan: .hours(1)) { _ in [] } == 0)
        #expect(store.names == ["a"])
        #expect(try await store.removeUnused(olderThan: .zero) { _ in [] } == 1)
        #expect(store.names == [])
    }

    @Test func `many are asked for in parts`() async throws {
        let store = MemoryFileStore()
        for number in 1...1100 { try await store.save(UploadedFile(name: "", [1]), as: "f\(number)") }
        let count = try await store.removeUnused(olderThan: .zero) { names in
            #expect(names.count <= 500)
            return Set(names.filter { $0.hasSuffix("7") })
        }
        #expect(count == 990)
        #expect(store.names.count == 110)
    }
}
