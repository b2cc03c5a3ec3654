import HTTPTypes
import Roost
import RoostTesting
import Testing

@testable import RoostAuth

@Suite("Devices that have signed in before", .quietLog, .timeLimit(.minutes(5)))
struct DeviceTests {
    @Test(arguments: Keeping.allCases)
    func `an account that many attack gives unknown devices one attempt in five seconds, known ones all`(
        keeping: Keeping
    ) async throws {
        let site = try await AuthSite(keeping, isHTTPS: true)
        let known = try await site.member(at: "198.51.100.1")
        for number in 1...10 {
            #expect(try await ThrottleTests.fail(site, site.visitor(at: "192.0.2.\(number)")) == nil)
        }
        #expect(try await ThrottleTests.fail(site, site.visitor(at: "192.0.2.99")) == 5)
        #expect(try await site.signIn(site.visitor(at: "203.0.113.7")).status == .tooManyRequests)
        #expect(try await site.signIn(known).status == .seeOther)
        // The known device may mistype, as everybody may.
        for _ in 0..<5 { #expect(try await ThrottleTests.fail(site, known) == nil) }
        #expect(try await ThrottleTests.fail(site, known) == 1)
        site.time.pass(1)
        #expect(try await site.signIn(known).status == .seeOther)
        site.time.pass(4)
        #expect(try await site.signIn(site.visitor(at: "203.0.113.7")).status == .seeOther)
        // However long the attack goes on, an unknown device never has to wait for longer.
        for number in 0..<100 {
            _ = try await ThrottleTests.fail(site, site.visitor(at: "192.0.2.\(number)"))
            #expect(try await ThrottleTests.fail(site, site.visitor(at: "198.18.0.\(number)")) ?? 5 == 5)
            site.time.pass(5)
        }
    }

    @Test(arguments: Keeping.allCases)
    func `a known device is no way around the limit of its address`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping, isHTTPS: true)
        let known = try await site.member(at: "192.0.2.1")
        for number in 0..<99 {
            #expect(
                try await ThrottleTests.fail(site, site.visitor(at: "192.0.2.1"), email: "user\(number)@example.com")
                    == nil)
        }
        #expect(try await ThrottleTests.fail(site, known) == nil)
        #expect(try await ThrottleTests.fail(site, known) == 1)
        #expect(try await ThrottleTests.fail(site, site.visitor(at: "192.0.2.1"), email: "other@example.com") == 1)
    }

    /// Whoever knows a password can make any number of devices, each with attempts of its own under way.
    @Test(arguments: Keeping.allCases)
    func `all known devices of an account have a limit together at one address`(keeping: Keeping) async throws {
        let database = try await keeping.database()
        let time = Time()
        let store: any ThrottleStore = database.map { SQLThrottleStore($0) } ?? MemoryThrottleStore()
        let throttle = time { Throttle(store) }
        func mayBegin(_ device: Int, at network: String = "192.0.2.1") async throws -> Bool {
            let verdict = try await throttle.begin(account: "ann", network: network, device: "\(device)")
            if case .allowed = verdict { return true }
            return false
        }
        for attempt in 0..<10 { #expect(try await mayBegin(attempt % 3)) }
        #expect(try await !mayBegin(3))
        #expect(try await mayBegin(3, at: "198.51.100.1"))
    }

    @Test func `a known device is known for one account, under one key, and its cookie says nothing`() async throws {
        let key = SigningKey.random()
        let site = try await AuthSite(key: key, isHTTPS: true)
        let client = site.visitor(at: "192.0.2.1")
        let response = try await site.signIn(client)
        let field = try #require(response.headers[values: .setCookie].first { $0.hasPrefix("__Host-device=") })
        #expect(field.hasSuffix("; Path=/; Max-Age=34560000; Secure; HttpOnly; SameSite=Lax"))
        let stored = try #require(try await site.auth.accounts.account(id: 1))
        let bob = StoredAccount(account: Account(id: 2, email: "bob@example.com"), passwordHash: stored.passwordHash)
        func number(_ key: SigningKey, _ account: StoredAccount) throws -> String? {
            let cookie = try #require(client.cookie("__Host-device"))
            let request = try Request(.get, "/", headers: [.cookie: "__Host-device=\(cookie)"])
            return DeviceCookies(key: key, isHTTPS: true).device(of: request, for: account)
        }
        let nobody = try Request(.get, "/", headers: [.cookie: "__Host-device=\(client.cookie("__Host-device") ?? "")"])
        #expect(DeviceCookies(key: key, isHTTPS: true).device(of: nobody, for: nil) == nil)
        #expect(try number(key, bob) == nil)
        #expect(try number(.random(), stored) == nil)
        #expect(field.firstRange(of: "argon2") == nil)
        let first = try #require(try number(key, stored))
        #expect(first.allSatisfy { $0.isHexDigit || $0 == "-" })
        // Signing out does not make the device unknown, and the next sign-in keeps its number.
        _ = try await client.post("/logout")
        _ = try await site.signIn(client)
        #expect(try number(key, stored) == first)
    }

    /// Whether a browser is let through where unknown devices have to wait.
    private static func isKnown(_ site: AuthSite, _ client: TestClient, password: String) async throws -> Bool {
        for number in 1...10 { _ = try await ThrottleTests.fail(site, site.visitor(at: "192.0.2.\(number)")) }
        return try await site.signIn(client, password: password).status == .seeOther
    }

    @Test(arguments: Keeping.allCases)
    func `changing the password makes devices unknown, but for the one that changes it`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping, isHTTPS: true)
        let (one, other) = (try await site.member(at: "198.51.100.1"), try await site.member(at: "198.51.100.2"))
        #expect(try await Self.isKnown(site, other, password: AuthSite.password))
        site.time.pass(960)
        let input = ["current": AuthSite.password, "new": "battery staple"]
        #expect(try await one.post("/password", json: input).status == .noContent)
        #expect(try await !Self.isKnown(site, other, password: "battery staple"))
        #expect(try await Self.isKnown(site, one, password: "battery staple"))
        site.time.pass(960)
        try await site.auth.setPassword("chosen by the administrator", email: AuthSite.ann)
        #expect(try await !Self.isKnown(site, one, password: "chosen by the administrator"))
    }

    @Test func `behind a proxy that says so, the device's cookie is one of HTTPS`() async throws {
        var configuration = ServerConfiguration()
        configuration.trustedProxies = try #require(TrustedProxies("loopback"))
        let site = try await AuthSite(configuration: configuration)
        var headers: Headers = [:]
        headers["X-Forwarded-For"] = "203.0.113.9"
        // Nobody says so: then others could intercept the cookies.
        #expect(try await site.signIn(site.visitor(), headers: headers).headers[.setCookie] == nil)
        headers["X-Forwarded-Proto"] = "https"
        let cookies = try await site.signIn(site.visitor(), headers: headers).headers[values: .setCookie]
        #expect(cookies.map { $0.prefix { $0 != "=" } }.sorted() == ["__Host-device", "__Host-session"])
        for cookie in cookies { #expect(cookie.contains("; Secure; ")) }
    }
}
