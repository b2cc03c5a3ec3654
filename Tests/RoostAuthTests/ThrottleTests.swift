import HTTPTypes
import Roost
import RoostSQL
import RoostTesting
import Testing

@testable import RoostAuth

@Suite("Throttling of sign-ins", .quietLog, .timeLimit(.minutes(5)))
struct ThrottleTests {
    /// Fails from an address until an attempt has to wait; returns the seconds of `Retry-After`.
    static func fail(_ site: AuthSite, _ client: TestClient, email: String = AuthSite.ann) async throws -> Int? {
        let response = try await site.signIn(client, email: email, password: "wrong horse")
        if response.status == .unauthorized { return nil }
        #expect(response.status == .tooManyRequests)
        let seconds = try #require(response.headers[.retryAfter].flatMap { Int($0) })
        #expect(response.text.contains("Too many attempts to sign in. Try again in \(seconds) second"))
        return seconds
    }

    @Test(arguments: Keeping.allCases)
    func `after five failures the delays grow from 1 to 60 seconds, whatever password comes`(keeping: Keeping)
        async throws
    {
        let site = try await AuthSite(keeping)
        let client = site.visitor(at: "192.0.2.1")
        for _ in 0..<5 { #expect(try await Self.fail(site, client) == nil) }
        let work = site.function.comparisons.count
        for delay in [1, 2, 4, 8, 16, 32, 60, 60] {
            #expect(try await Self.fail(site, client) == delay)
            #expect(try await site.signIn(client).status == .tooManyRequests)
            site.time.pass(milliseconds: delay * 1000 - 1)
            #expect(try await Self.fail(site, client) == 1)
            site.time.pass(milliseconds: 1)
            #expect(try await Self.fail(site, client) == nil)
        }
        // A refused attempt costs no hash.
        #expect(site.function.comparisons.count == work + 8)
    }

    @Test(arguments: Keeping.allCases)
    func `a success ends the delays`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping, isHTTPS: true)
        for _ in 0..<2 {
            let client = site.visitor(at: "192.0.2.1")
            for _ in 0..<4 { #expect(try await Self.fail(site, client) == nil) }
            #expect(try await site.signIn(client).status == .seeOther)
            site.time.pass(20)
        }
    }

    @Test(arguments: Keeping.allCases)
    func `failures count for 15 minutes each`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        let client = site.visitor(at: "192.0.2.1")
        for _ in 0..<10 {
            #expect(try await Self.fail(site, client) == nil)
            site.time.pass(225)
        }
        for _ in 0..<2 { #expect(try await Self.fail(site, client) == nil) }
        #expect(try await Self.fail(site, client) == 1)
        site.time.pass(15 * 60)
        for _ in 0..<5 { #expect(try await Self.fail(site, client) == nil) }
    }

    @Test(arguments: Keeping.allCases)
    func `another address, and another account, are not slowed down`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        let client = site.visitor(at: "192.0.2.1")
        for _ in 0..<5 { _ = try await Self.fail(site, client) }
        #expect(try await Self.fail(site, client) == 1)
        #expect(try await Self.fail(site, site.visitor(at: "192.0.2.2")) == nil)
        #expect(try await Self.fail(site, client, email: "bob@example.com") == nil)
    }

    @Test(arguments: Keeping.allCases)
    func `after a hundred failures an address has to wait, whatever accounts it tries`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        let client = site.visitor(at: "192.0.2.1")
        for number in 0..<100 {
            #expect(try await Self.fail(site, client, email: "user\(number)@example.com") == nil)
        }
        for (number, delay) in [1, 2, 4, 8, 16, 32, 60].enumerated() {
            #expect(try await Self.fail(site, client, email: "other\(number)@example.com") == delay)
            site.time.pass(delay)
            #expect(try await Self.fail(site, client, email: "other\(number)@example.com") == nil)
        }
        #expect(try await Self.fail(site, site.visitor(at: "192.0.2.2"), email: "user1@example.com") == nil)
    }

    @Test(arguments: Keeping.allCases)
    func `after a thousand failures a /48 of version 6 has to wait`(keeping: Keeping) async throws {
        var limits = ThrottleLimits()
        #expect(limits.failuresPerSite == 1000)
        limits.failuresPerSite = 20
        let site = try await AuthSite(keeping, throttle: limits)
        for number in 0..<20 {
            let client = site.visitor(at: "2001:db8:1:\(number)::1")
            #expect(try await Self.fail(site, client, email: "user\(number)@example.com") == nil)
        }
        let (inside, outside) = (site.visitor(at: "2001:db8:1:ffff::1"), site.visitor(at: "2001:db8:2::1"))
        #expect(try await Self.fail(site, inside, email: "other@example.com") == 1)
        #expect(try await Self.fail(site, outside, email: "other@example.com") == nil)
    }

    @Test(arguments: Keeping.allCases)
    func `whoever has a /48 cannot keep an account's owner out`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping, isHTTPS: true)
        var (number, allowed) = (0, 0)
        // Each second from another /64, as soon as it is possible, and before the owner.
        for second in 0..<400 {
            let attacker = site.visitor(at: "2001:db8:1:\(String(number, radix: 16))::1")
            if try await Self.fail(site, attacker) == nil { number += 1 }
            if second >= 300, second.isMultiple(of: 5) {
                if try await site.signIn(site.visitor(at: "192.0.2.1")).status == .seeOther { allowed += 1 }
            }
            site.time.pass(1)
        }
        #expect(allowed >= 15, "of 20")
    }

    @Test(arguments: Keeping.allCases)
    func `nothing is kept of an attempt that has succeeded, or was refused`(keeping: Keeping) async throws {
        guard let database = try await keeping.database() else { return }
        let time = Time()
        let store = SQLThrottleStore(database)
        let throttle = time { Throttle(store) }
        for isRight in [true, false] {
            let verdict = try await throttle.begin(account: "ann", network: "192.0.2.1", device: nil)
            guard case .allowed(let attempt) = verdict else { throw HTTPError(.tooManyRequests) }
            try await isRight ? throttle.succeed(attempt) : throttle.withdraw(attempt)
        }
        // As of two that come at the same time, of which only one may go on.
        try await store.update(["a", "b"], at: time.milliseconds) { _ in }
        #expect(try await database.first("SELECT count(*) FROM sign_in_failures", as: Int.self) == 0)
    }

    @Test(arguments: [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true), ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
        ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1", "::ffff:192.0.2.1", true),
    ])
    func `one network of version 6 counts as one address`(one: String, other: String, isSame: Bool) async throws {
        let site = try await AuthSite()
        for _ in 0..<5 { #expect(try await Self.fail(site, site.visitor(at: one)) == nil) }
        #expect(try await Self.fail(site, site.visitor(at: other)) == (isSame ? 1 : nil))
    }

    @Test(arguments: [Keeping.memory, .sqlite])
    func `attempts at the same time are no way around`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    try await site.signIn(site.visitor(at: "192.0.2.1"), password: "wrong horse").status
                }
            }
            return try await group.reduce(into: [HTTPResponse.Status]()) { $0.append($1) }
        }
        #expect(statuses.count { $0 == .unauthorized } == 5)
        #expect(statuses.count { $0 == .tooManyRequests } == 35)
    }

    @Test(arguments: Keeping.allCases)
    func `an attempt in which no password was compared does not count`(keeping: Keeping) async throws {
        let database = try await keeping.database()
        let time = Time()
        let store: any ThrottleStore = database.map { SQLThrottleStore($0) } ?? MemoryThrottleStore()
        let throttle = time { Throttle(store) }
        for number in 0..<10 {
            let verdict = try await throttle.begin(account: "ann", network: "192.0.2.1", device: nil)
            guard case .allowed(let attempt) = verdict else { throw HTTPError(.tooManyRequests, "\(number)") }
            try await throttle.withdraw(attempt)
        }
    }

    @Test func `a sign-in that finds no room in the queue does not count`() async throws {
        let gate = GateFunction()
        let passwords = Passwords(gate, threads: 1, maximumQueue: 1)
        let accounts = MemoryAccounts()
        let auth = Auth(
            accounts: accounts, sessions: MemorySessionStore(), passwords: passwords, key: .random(), isHTTPS: true)
        let middleware: [any Middleware] = [ErrorPages(explains: false), Sessions(auth.sessions, isHTTPS: true)]
        let application = try Application(middleware: middleware) { routes in
            routes.post(Path("/login")) { request -> Response in
                try await auth.signIn(try request.decode(SignInInput.self), request).response(Response())
            }
            routes.get(Path("/busy")) { _ in "\(try await passwords.compare("x", with: nil))" }
        }
        let client = TestClient(application)
        let form: Form = ["email": "ann@example.com", "password": "x"]
        try await withThrowingTaskGroup(of: WireClient.Response.self) { group in
            // One is at work, one waits; the third tells that both are there.
            for _ in 0..<3 { group.addTask { try await client.get("/busy") } }
            #expect(try await group.next()?.status == .serviceUnavailable)
            for _ in 0..<20 { #expect(try await client.post("/login", form: form).status == .serviceUnavailable) }
            gate.open()
            try await group.waitForAll()
        }
        #expect(try await client.post("/login", form: form).status == .unauthorized)
    }

    @Test func `two instances share what is in SQL`() async throws {
        let database = try #require(try await Keeping.sqlite.database())
        let time = Time()
        let instances = (0..<2).map { _ in time { Throttle(SQLThrottleStore(database)) } }
        for number in 0..<5 {
            let verdict = try await instances[number % 2].begin(account: "ann", network: "192.0.2.1", device: nil)
            guard case .allowed = verdict else { throw HTTPError(.tooManyRequests) }
        }
        for instance in instances {
            let verdict = try await instance.begin(account: "ann", network: "192.0.2.1", device: nil)
            guard case .refused(seconds: 1) = verdict else { throw HTTPError(.ok) }
        }
        let text = try await database.query("SELECT key || times FROM sign_in_failures", as: String.self).joined()
        #expect(!text.isEmpty && text.firstRange(of: "ann") == nil && text.firstRange(of: "192.0") == nil)
    }

    @Test func `memory is bounded`() async throws {
        let store = MemoryThrottleStore(maximumCount: 100)
        let time = Time()
        let throttle = time { Throttle(store) }
        for number in 0..<1000 {
            _ = try await throttle.begin(account: "\(number)", network: "192.0.2.\(number)", device: nil)
            #expect(store.count <= 100)
            time.pass(milliseconds: 1)
        }
        for _ in 0..<1000 {
            time.pass(61)
            _ = try await throttle.begin(account: "ann", network: "one", device: nil)
        }
        for history in store.histories([]) { #expect(history.times.count <= 120) }
    }

    @Test func `old failures are deleted from SQL`() async throws {
        let database = try #require(try await Keeping.sqlite.database())
        let time = Time()
        let throttle = time { Throttle(SQLThrottleStore(database)) }
        for number in 0..<20 { _ = try await throttle.begin(account: "\(number)", network: "x\(number)", device: nil) }
        time.pass(3601)
        for _ in 0..<4 { _ = try await throttle.begin(account: "ann", network: "y", device: nil) }
        #expect(try await database.first("SELECT count(*) FROM sign_in_failures", as: Int.self) == 3)
    }

    @Test(arguments: Keeping.allCases)
    func `a clock that was set back makes nobody wait for longer, and forgets nothing`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        let client = site.visitor(at: "192.0.2.1")
        for _ in 0..<5 { _ = try await Self.fail(site, client) }
        site.time.pass(-3600)
        #expect(try await Self.fail(site, client) == 1)
        site.time.pass(1)
        #expect(try await Self.fail(site, client) == nil)
        #expect(try await Self.fail(site, client) == 2)
    }

    @Test(arguments: Keeping.allCases)
    func `instances whose clocks differ do not erase each other's failures`(keeping: Keeping) async throws {
        let database = try await keeping.database()
        let store: any ThrottleStore = database.map { SQLThrottleStore($0) } ?? MemoryThrottleStore()
        let time = Time()
        let (ahead, behind) = (Time(passed: 10)({ Throttle(store) }), time { Throttle(store) })
        for number in 0..<5 {
            let instance = number.isMultiple(of: 2) ? ahead : behind
            let verdict = try await instance.begin(account: "ann", network: "192.0.2.1", device: nil)
            guard case .allowed = verdict else { throw HTTPError(.tooManyRequests, "\(number)") }
        }
        guard case .refused(seconds: 1) = try await behind.begin(account: "ann", network: "192.0.2.1", device: nil)
        else { throw HTTPError(.ok) }
        time.pass(1)
        guard case .allowed(let attempt) = try await behind.begin(account: "ann", network: "192.0.2.1", device: nil)
        else { throw HTTPError(.tooManyRequests) }
        // What succeeds is taken back, even when another instance has dated it anew.
        try await behind.succeed(attempt)
        for number in 0..<5 {
            let verdict = try await behind.begin(account: "ann", network: "192.0.2.1", device: nil)
            guard case .allowed = verdict else { throw HTTPError(.tooManyRequests, "\(number)") }
        }
    }

    @Test(arguments: Keeping.allCases)
    func `a failure counts for an hour at most`(keeping: Keeping) async throws {
        var limits = ThrottleLimits()
        limits.window = .hours(24)
        let site = try await AuthSite(keeping, throttle: limits)
        let client = site.visitor(at: "192.0.2.1")
        for passed in [0, 3600] {
            site.time.pass(passed)
            for _ in 0..<5 { #expect(try await Self.fail(site, client) == nil) }
        }
    }

    @Test func `without throttling nobody waits`() async throws {
        let site = try await AuthSite(throttle: nil)
        for _ in 0..<20 { #expect(try await Self.fail(site, site.visitor()) == nil) }
    }
}
