import RoostTesting
import Testing

@testable import Roost

@Suite("Rate limits", .timeLimit(.minutes(5)))
struct RateLimitTests {
    private let clock = TestClock()

    private func application(_ limits: [any Middleware], _ pages: ErrorPages = ErrorPages()) throws -> Application {
        try Application(middleware: [pages] + limits) { $0.get(Path("/")) { _ in "ok" } }
    }

    private static func peer(_ address: String) throws -> PeerAddress {
        .tcp(try #require(IPAddress(address)), port: 1)
    }

    private func limit(_ limit: Int, burst: Int? = nil, clients: Int = 1000) -> RateLimit {
        withClock(clock) { RateLimit(limit, per: .minutes(1), burst: burst, clients: clients) }
    }

    @Test func `a client that has used its requests gets 429, and one back at a time`() async throws {
        let client = TestClient(try application([limit(3)]))
        var remaining: [String?] = []
        for _ in 0..<3 {
            let response = try await client.get("/")
            #expect(response.status == .ok)
            remaining.append(response.headers["RateLimit-Remaining"])
        }
        #expect(remaining == ["2", "1", "0"])
        let refused = try await client.get("/")
        #expect(refused.status == .tooManyRequests)
        #expect(refused.headers[.retryAfter] == "20")
        #expect(refused.headers["RateLimit"] == "\"default\";r=0;t=60")
        #expect(refused.headers["RateLimit-Policy"] == "\"default\";q=3;w=60")
        #expect(refused.headers["RateLimit-Limit"] == "3" && refused.headers["RateLimit-Reset"] == "60")
        #expect(refused.text.contains("Too many requests: try again in 20 seconds."))
        clock.advance(by: .seconds(19.5))
        #expect(try await client.get("/").headers[.retryAfter] == "1")
        clock.advance(by: .seconds(0.5))
        #expect(try await client.get("/").status == .ok)
        #expect(try await client.get("/").status == .tooManyRequests)
        clock.advance(by: .seconds(3600))
        let rested = try await client.get("/")
        #expect(rested.headers["RateLimit"] == "\"default\";r=2;t=20")
    }

    @Test func `a burst is less than the limit`() async throws {
        let client = TestClient(try application([limit(60, burst: 2)]))
        var statuses: [Int] = []
        for _ in 0..<3 { statuses.append(try await client.get("/").status.code) }
        clock.advance(by: .seconds(1))
        statuses.append(try await client.get("/").status.code)
        let last = try await client.get("/")
        #expect(statuses == [200, 200, 429, 200] && last.status.code == 429)
        #expect(last.headers["RateLimit-Policy"] == "\"default\";q=60;w=60;burst=2")
    }

    @Test func `each address has its own, and a network of 64 bits is one customer's`() async throws {
        let application = try application([limit(1)])
        let peers = [
            ("192.0.2.1", 200), ("192.0.2.2", 200), ("192.0.2.1", 429), ("2001:db8::1", 200), ("2001:db8::ffff:1", 429),
            ("2001:db8:0:1::1", 200), ("::ffff:192.0.2.2", 429),
        ]
        for (address, status) in peers {
            let client = TestClient(application, peer: try Self.peer(address))
            #expect(try await client.get("/").status.code == status, "\(address)")
        }
    }

    @Test func `a customer's network of 48 bits has four times as many`() async throws {
        let application = try application([limit(1)])
        func status(_ address: String) async throws -> Int {
            try await TestClient(application, peer: try Self.peer(address)).get("/").status.code
        }
        for number in 0..<4 { #expect(try await status("2001:db8:0:\(number)::1") == 200) }
        let client = TestClient(application, peer: try Self.peer("2001:db8:0:4::1"))
        let refused = try await client.get("/")
        #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "15")
        #expect(try await status("2001:db8:1::1") == 200)
        #expect(try await status("192.0.2.1") == 200)
        clock.advance(by: .seconds(15))
        // What its network was refused has used nothing up.
        #expect(try await client.get("/").status == .ok)
        #expect(try await status("2001:db8:0:5::1") == 429)
    }

    @Test func `a client may be a key, or else its address`() async throws {
        let limit = withClock(clock) { RateLimit(1, per: .minutes(1), by: { $0.headers["X-API-Key"] }) }
        let client = TestClient(try application([limit]))
        let key = try #require(HTTPField.Name("X-API-Key"))
        var statuses: [Int] = []
        for value in ["a", "b", "a", nil, nil] as [String?] {
            let headers = value.map { [key: $0] as Headers } ?? [:]
            statuses.append(try await client.get("/", headers: headers).status.code)
        }
        #expect(statuses == [200, 200, 429, 200, 429])
    }

    private enum Account: RequestKey { typealias Value = String }

    @Test func `a client may be an account, which takes waiting to find out`() async throws {
        let account = Provide(Account.self) { request in
            await Task.yield()
            return request.query["account"]
        }
        let limit = withClock(clock) { RateLimit(1, per: .minutes(1), by: { $0[Account.self] }) }
        let client = TestClient(try application([account, limit]))
        let first = try await client.get("/?account=a")
        #expect(first.status == .ok && first.headers["RateLimit-Remaining"] == "0")
        #expect(try await client.get("/?account=b").status == .ok)
        #expect(try await client.get("/?account=a").status == .tooManyRequests)
    }

    @Test func `of two limits the inner one's fields are sent, and both count`() async throws {
        let client = TestClient(try application([limit(2), limit(10)]))
        #expect(try await client.get("/").headers[values: .rateLimitRemaining] == ["9"])
        #expect(try await client.get("/").status == .ok)
        let refused = try await client.get("/")
        #expect(refused.status == .tooManyRequests && refused.headers["RateLimit-Limit"] == "2")
    }

    @Test func `what an outer limit tells is its own, even if the inner one has told nothing`() async throws {
        let pages = ErrorPages()
        let outer = try TestClient(middleware: [pages, limit(2), pages, limit(10)]) { routes in
            routes.get(Path("/")) { _ -> String in throw HTTPError(.notFound) }
        }
        let response = try await outer.get("/")
        #expect(response.status == .notFound)
        #expect(response.headers["RateLimit"] == "\"default\";r=1;t=30")
        #expect(response.headers["RateLimit-Policy"] == "\"default\";q=2;w=60")
        #expect(response.headers["RateLimit-Limit"] == "2" && response.headers["RateLimit-Remaining"] == "1")
    }

    @Test func `it remembers so many clients, those that have come last`() throws {
        let counter = RateCounter(RatePolicy(1, per: .minutes(1)), clients: 100)
        let now = ContinuousClock.now
        func admits(_ client: Int) throws -> Bool {
            var request = try Request(.get, "/")
            do throws(HTTPError) { try counter.admit(&request, "\(client)", now) } catch { return false }
            return true
        }
        #expect(try admits(0) && !admits(0))
        for client in 1...10_000 {
            _ = try admits(client)
            // Whoever keeps coming stays known, however many others there are.
            if client.isMultiple(of: 20) { #expect(try !admits(0)) }
        }
        #expect(counter.count <= 100)
    }

    @Test func `no numbers of a policy trap`() {
        for limit in [Int.min, 0, 1, .max] {
            for burst in [Int.min, 1, .max] {
                for time in [Duration.zero, .milliseconds(1), .seconds(Int64.max / 2)] {
                    let policy = RatePolicy(limit, per: time, burst: burst)
                    let first = policy.request(full: 0, now: 1000)
                    #expect(first.wait == 0 && first.remaining >= 0)
                    _ = policy.request(full: first.full, now: 1000)
                    _ = policy.request(full: first.full, now: Int.max / 4)
                }
            }
        }
    }
}
