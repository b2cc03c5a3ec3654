import Glibc
import HTTPTypes
import Processes
import RoostTesting
import Testing

/// The site's process with clients that are many, slow, broken or gone. The figures are printed.
@Suite("Faults", .timeLimit(.minutes(10)))
struct FaultTests {
    private static let request = Array("GET /users HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    private static let lastRequest = Array("GET /users HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)

    /// More files than the tests of this suite open at the same time.
    private static let openFiles: rlim_t = {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, 15_000))
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return limit.rlim_cur
    }()

    /// The outcome for a swarm's clients, as one line.
    private func report(_ title: String, _ site: SiteProcess, _ before: Int, _ text: String) {
        print("fault suite: \(title): \(text); memory \(before) kB before, \(site.residentSize) kB after")
    }

    private func isAlive(_ site: SiteProcess) async throws {
        #expect(try await WireClient(port: site.port).get("/users").text == UserControllerTests.twoUsers)
    }

    @Test func `64 file descriptors with 200 connections: all get responses`() async throws {
        let limited = SiteProcess.quiet + ["prlimit", "--nofile=64:64"]
        let site = try await SiteProcess.start(["WORKERS": "2"], under: limited)
        let before = site.residentSize
        let (answered, lost) = try await BlockingThread.run {
            let swarm = Swarm(port: site.port)
            for _ in 0..<200 { swarm.add(Self.lastRequest) }
            try swarm.run { $0.haveAllEnded }
            return (swarm.clients.count { $0.answers == 1 }, swarm.clients.count { $0.answers == 0 })
        }
        report("64 file descriptors, 200 connections", site, before, "\(answered) answered, \(lost) lost")
        #expect(answered == 200)
        // Those that stay connected leave some for what the program opens meanwhile.
        let open = try await BlockingThread.run {
            let swarm = Swarm(port: site.port)
            for _ in 0..<60 { swarm.add(Self.request) }
            try swarm.run { $0.waiting == 0 }
            return site.openFiles
        }
        #expect((30...58).contains(open))
        try await isAlive(site)
        #expect(try await site.terminate() == "0")
    }

    @Test(.enabled(if: openFiles >= 15_000, "the hard limit of open files is too low"))
    func `10,000 idle connections, at most 1 KiB each`() async throws {
        let site = try await SiteProcess.start(under: SiteProcess.quiet)
        let before = site.residentSize
        let (answered, warm, after) = try await BlockingThread.run {
            let swarm = Swarm(port: site.port)
            var warm = 0
            // A few at a time: what the requests of a burst use while they are handled is not what an idle client
            // keeps.
            for count in 1...200 {
                for _ in 0..<50 { swarm.add(Self.request) }
                try swarm.run { $0.waiting == 0 }
                if count == 20 { warm = site.residentSize }
            }
            let after = site.residentSize
            // All of them once more, to show that they were idle and not gone.
            for index in swarm.clients.indices { swarm.send(Self.request, to: index) }
            try swarm.run { $0.waiting == 0 }
            return (swarm.clients.count { !$0.hasEnded && $0.answers == 2 }, warm, after)
        }
        let each = (after - warm) * 1024 / 9_000
        let figures = "\(answered) answered twice, \(after) kB while they were idle, \(each) bytes for each after 1,000"
        report("10,000 idle connections", site, before, figures)
        #expect(answered == 10_000)
        // A sanitizer uses more memory than the program itself.
        if getenv("ASAN_OPTIONS") == nil, getenv("TSAN_OPTIONS") == nil { #expect(each <= 1024) }
        try await isAlive(site)
        #expect(try await site.terminate() == "0")
    }

    @Test func `random bytes on 2,000 connections`() async throws {
        let site = try await SiteProcess.start(under: SiteProcess.quiet)
        let before = site.residentSize
        let ends = try await BlockingThread.run {
            var generator = SystemRandomNumberGenerator()
            var ends = (closed: 0, reset: 0, refusals: 0)
            for _ in 0..<4 {
                let swarm = Swarm(port: site.port)
                swarm.halfCloses = true
                for _ in 0..<500 {
                    let count = Int.random(in: 1...300, using: &generator)
                    swarm.add((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
                }
                try swarm.run { $0.haveAllEnded }
                ends.closed += swarm.ends[.closed] ?? 0
                ends.reset += swarm.ends[.reset] ?? 0
                ends.refusals += swarm.clients.count { $0.status == 400 }
            }
            return ends
        }
        report("random bytes on 2,000 connections", site, before, "\(ends)")
        #expect(ends.closed == 2_000)
        try await isAlive(site)
        #expect(try await site.terminate() == "0")
    }

    @Test func `200 slow clients beside a normal load, which is served`() async throws {
        let site = try await SiteProcess.start(under: SiteProcess.quiet)
        let before = site.residentSize
        let (answered, ended) = try await BlockingThread.run {
            let slow = Swarm(port: site.port)
            for _ in 0..<200 { slow.add(Array("GET /users HTTP/1.1\r\n".utf8)) }
            let load = Swarm(port: site.port)
            load.next = { _ in Self.request }
            for _ in 0..<20 { load.add(Self.request) }
            while load.answers <= 1_000 {
                for index in slow.clients.indices { slow.send([0x58], to: index) }
                slow.step()
                let answers = load.answers
                try load.run { $0.answers > answers + 100 }
            }
            return (load.answers, slow.clients.count(where: \.hasEnded))
        }
        report("200 slow clients", site, before, "\(answered) answers to the others meanwhile")
        #expect(ended == 0)
        #expect(try await site.terminate() == "0")
    }

    @Test func `200 slow clients: each is refused when its time is over`() async throws {
        let site = try await SiteProcess.start(["HEAD_TIMEOUT": "1"], under: SiteProcess.quiet)
        let refused = try await BlockingThread.run {
            let slow = Swarm(port: site.port)
            for _ in 0..<200 { slow.add(Array("GET /users HTTP/1.1\r\n".utf8)) }
            try slow.run { slow in
                for index in slow.clients.indices where slow.clients[index].isWaiting { slow.send([0x58], to: index) }
                return slow.haveAllEnded
            }
            return slow.clients.count { $0.status == 408 }
        }
        #expect(refused == 200)
        #expect(try await site.terminate() == "0")
    }

    @Test func `no file descriptor left: a static file is 503 until there is one, not 404`() async throws {
        let site = try await SiteProcess.start(under: SiteProcess.quiet)
        let connection = try await HTTPConnection.connect(port: site.port)
        for (limit, status) in [(1000, 200), (3, 503), (1000, 200)] {
            try await site.limitOpenFiles(limit)
            try await connection.send("GET /style.css HTTP/1.1\r\nHost: a\r\n\r\n")
            let response = try await connection.readResponse()
            #expect(response.status.code == status)
            #expect(response.headers[.retryAfter] == (status == 503 ? "1" : nil))
        }
        #expect(try await site.terminate() == "0")
    }

    @Test(arguments: [["WORKERS": "2"], ["WORKERS": "2", "SHARED_LISTENER": "1"]])
    func `SIGTERM under load: every request that has begun gets its whole response`(
        settings: [String: String]
    ) async throws {
        // On a port that nothing else takes when the site has ended.
        let settings = try settings.merging(["PORT": "\(FreePort.next())"]) { $1 }
        let site = try await SiteProcess.start(settings, under: SiteProcess.quiet)
        let before = site.residentSize
        let (answers, lost, refused, resets) = try await BlockingThread.run {
            // Half of the clients keep their connections, half open a new one for each request.
            let swarm = Swarm(port: site.port)
            swarm.next = { _ in Self.request }
            for _ in 0..<50 { swarm.add(Self.request) }
            var isSignalled = false
            try swarm.run { swarm in
                if !isSignalled, swarm.answers > 1_000 {
                    site.signal(SIGTERM)
                    isSignalled = true
                }
                // New ones come until one is refused; those that have connected before that get their responses.
                if swarm.ends[.refused] == nil, swarm.waiting < 400 {
                    for _ in 0..<20 { swarm.add(Self.lastRequest) }
                }
                return swarm.ends[.refused] != nil && swarm.haveAllEnded
            }
            let dealt = swarm.clients.filter { $0.end != .refused && !$0.hasDallied }
            return (
                swarm.answers, dealt.count(where: \.isWaiting), swarm.ends[.refused] ?? 0,
                dealt.count { $0.end == .reset }
            )
        }
        let figures = "\(answers) answered, \(lost) lost, \(refused) refused, \(resets) reset"
        report("SIGTERM under load", site, before, figures)
        #expect(lost == 0)
        #expect(resets == 0)
        #expect(try await site.exitCode() == "0")
    }
}
