import HTTPTypes
import Roost
import RoostSQL
import RoostTesting
import Synchronization
import Testing

@testable import RoostAuth

@Suite("Who is refused, and what is written down of it", .quietLog, .timeLimit(.minutes(5)))
struct RefusalTests {
    @Test func `a refusal is written down once in a minute`() async throws {
        let site = try await AuthSite()
        let client = site.visitor(at: "192.0.2.1")
        for _ in 0..<50 { _ = try await ThrottleTests.fail(site, client) }
        await site.auth.reports.settle()
        #expect(try await site.events().count { $0 == "sign-in throttled" } == 1)
        #expect(try await site.events().count { $0 == "sign-in failed" } == 5)
    }

    @Test func `nobody waits until a refusal is written down, which would tell that there is an account`() async throws
    {
        let reports = ReportedRefusals()
        let gate = Latch()
        let written = Mutex([Int]())
        for number in 1...3 {
            reports.report(number, from: "network", at: 100) {
                await gate.wait()
                written.withLock { $0.append(number) }
            }
        }
        #expect(written.withLock { $0 } == [])
        gate.open()
        await reports.settle()
        #expect(written.withLock { $0 } == [1, 2, 3])
    }

    @Test func `a site that stops waits for what it has reported, but not for ever`() async throws {
        let reports = ReportedRefusals()
        let gate = Latch()
        let written = Mutex(false)
        reports.report(1, from: "network", at: 100) {
            await gate.wait()
            written.withLock { $0 = true }
        }
        await reports.settle(within: .seconds(5)) { _ in }
        #expect(!written.withLock { $0 })
        gate.open()
        // Its time is not over before all is written.
        let end = Latch()
        await reports.settle(within: .seconds(5)) { _ in await end.wait() }
        #expect(written.withLock { $0 })
        end.open()
    }

    @Test func `whoever looks at what has happened does not wait for ever until all of it is written`() async throws {
        let auth = Auth(accounts: MemoryAccounts(), sessions: MemorySessionStore(), key: .random(), isHTTPS: false)
        let gate = Latch()
        auth.reports.write { await gate.wait() }
        var request = try Request(.get, "/")
        request[CurrentUser.Key.self] = CurrentUser(account: 1, email: AuthSite.ann, scopes: nil)
        let reader = Task { [request] in try await auth.events(of: request) }
        // It does not wait for its second, either.
        reader.cancel()
        #expect(try await reader.value == [])
        gate.open()
    }

    @Test func `no more than a thousand reports wait to be written`() async {
        let reports = ReportedRefusals()
        let gate = Latch()
        let taken = (0..<1000).map { _ in reports.write { await gate.wait() } }
        #expect(!taken.contains(false))
        let (isTaken, isReported) = (reports.write {}, reports.report(1, from: "network", at: 100) {})
        #expect(!isTaken && !isReported)
        // One that is not new is not refused.
        let isOld = reports.report(1, from: "network", at: 100) {}
        #expect(isOld)
        gate.open()
        await reports.settle()
        let hasRoom = reports.write {}
        #expect(hasRoom)
    }

    @Test(arguments: [Keeping.memory, .sqlite])
    func `attempts at no account are logged, but leave nothing that nobody reads`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        for number in 0..<20 {
            let client = site.visitor(at: "192.0.2.\(number % 2)")
            _ = try await ThrottleTests.fail(site, client, email: "nobody@example.com")
        }
        await site.auth.reports.settle()
        if let log = site.auth.audit as? MemoryAuditLog { #expect(log.all.allSatisfy { $0.account != nil }) }
        let rows = try await site.database?.first("SELECT count(*) FROM audit_log WHERE account IS NULL", as: Int.self)
        #expect(rows ?? 0 == 0)
    }

    /// The calls of the store are the same. A clock would tell the difference only sometimes.
    @Test func `what is written after an attempt, failed or refused, does not tell whether there is an account`()
        async throws
    {
        var written: [[AuditEvent.Kind]] = []
        for email in [AuthSite.ann, "nobody@example.com"] {
            let log = NotingAuditLog()
            let site = try await AuthSite(audit: log)
            let client = site.visitor(at: "192.0.2.1")
            // What is refused at one address without an account does not stand for another one.
            for email in ["other@example.com", email] {
                for _ in 0..<8 { _ = try await ThrottleTests.fail(site, client, email: email) }
            }
            await site.auth.reports.settle()
            written.append(log.kinds.withLock { $0 })
        }
        let attempts = Array(repeating: AuditEvent.Kind.signInFailed, count: 5) + [.signInThrottled]
        let expected: [AuditEvent.Kind] = [.accountAdded] + attempts + attempts
        #expect(written == [expected, expected])
    }

    @Test func `a network that has to wait, whatever account it tries, is written down for none`() async throws {
        let log = LogLines()
        var limits = ThrottleLimits()
        limits.failuresPerAddress = 3
        let site = try await withLogger(log.logger) { [limits] _ in try await AuthSite(throttle: limits) }
        let client = site.visitor(at: "192.0.2.1")
        for number in 0..<3 {
            #expect(try await ThrottleTests.fail(site, client, email: "user\(number)@example.com") == nil)
        }
        for email in [AuthSite.ann, "nobody@example.com"] {
            #expect(try await ThrottleTests.fail(site, client, email: email) == 1)
        }
        #expect(try await site.events() == ["account added"])
        #expect(log.all.filter { $0.contains("throttled") } == ["sign-in throttled: no account, 192.0.2.1"])
    }

    @Test func `what is reported late says where it came from`() async throws {
        let site = try await AuthSite()
        let client = site.visitor(at: "192.0.2.1")
        for _ in 0..<6 { _ = try await ThrottleTests.fail(site, client) }
        await site.auth.stop()
        #expect(try await site.auth.audit.events(of: 1, limit: 1).first?.address == "192.0.2.1")
    }

    @Test func `whoever is refused elsewhere does not hide what happens to an account`() {
        let reports = ReportedRefusals()
        for number in 0..<5000 {
            #expect(reports.isNew(nil, from: "network \(number)", at: 100) == (number < 1000))
            #expect(reports.isNew(nil, from: "network \(number)", at: 159) == false)
        }
        #expect(reports.isNew(1, from: "network 1", at: 100))
        #expect(!reports.isNew(1, from: "network 1", at: 159))
        for number in 2...5000 { #expect(reports.isNew(number, from: "network 1", at: 159)) }
        for number in 0..<100 { #expect(reports.isNew(0, from: "network \(number)", at: 160) == (number < 10)) }
        #expect(reports.isNew(1, from: "network 1", at: 160))
        #expect(reports.isNew(nil, from: "network 1", at: 160))
        // A clock that was set back does not hide anything, either.
        #expect(reports.isNew(nil, from: "network 1", at: 10))
    }

    @Test func `clients that contradict their proxy share one address, and no other client waits for them`()
        async throws
    {
        var configuration = ServerConfiguration()
        configuration.trustedProxies = try #require(TrustedProxies("loopback"))
        let site = try await AuthSite(configuration: configuration)
        func attempt(from address: String, _ claim: String?, _ password: String) async throws -> HTTPResponse.Status {
            var headers: Headers = [:]
            headers["X-Forwarded-For"] = address
            headers["X-Forwarded-Proto"] = "https"
            headers["Forwarded"] = claim
            return try await site.signIn(site.visitor(), password: password, headers: headers).status
        }
        for number in 0..<5 {
            let claim = "for=203.0.113.\(number)"
            #expect(try await attempt(from: "192.0.2.\(number)", claim, "wrong horse") == .unauthorized)
        }
        #expect(try await attempt(from: "192.0.2.9", "for=203.0.113.9", "wrong horse") == .tooManyRequests)
        await site.auth.reports.settle()
        #expect(try await site.auth.audit.events(of: 1, limit: 1).first?.address == "127.0.0.1")
        #expect(try await attempt(from: "203.0.113.9", nil, AuthSite.password) == .seeOther)
    }

    @Test func `behind a trusted proxy, its clients are counted one by one`() async throws {
        var configuration = ServerConfiguration()
        configuration.trustedProxies = try #require(TrustedProxies("loopback"))
        let site = try await AuthSite(configuration: configuration)
        func attempt(from address: String, _ password: String) async throws -> HTTPResponse.Status {
            var headers: Headers = [:]
            headers["X-Forwarded-For"] = address
            return try await site.signIn(site.visitor(), password: password, headers: headers).status
        }
        for _ in 0..<5 { #expect(try await attempt(from: "203.0.113.9", "wrong horse") == .unauthorized) }
        #expect(try await attempt(from: "203.0.113.9", AuthSite.password) == .tooManyRequests)
        #expect(try await attempt(from: "203.0.113.10", AuthSite.password) == .seeOther)
    }
}

/// Notes the kinds of the events that it gets, and keeps none.
private final class NotingAuditLog: AuditLog {
    let kinds = Mutex<[AuditEvent.Kind]>([])

    func record(_ event: AuditEvent) { kinds.withLock { $0.append(event.kind) } }
    func events(of account: Int, limit: Int) -> [AuditEvent] { [] }
}
