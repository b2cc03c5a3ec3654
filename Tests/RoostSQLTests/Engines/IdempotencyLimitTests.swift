import Engines
import RoostTesting
import Testing

@testable import Roost
@testable import RoostSQL

/// What requests with an `Idempotency-Key` may cost others.
@Suite("Limits of Idempotency-Key", .timeLimit(.minutes(5)))
struct IdempotencyLimitTests {
    @Test func `only so many requests of one address are under way, whatever its cookies`() async throws {
        try await Nest.run(.sqlite) { nest async throws in
            let (entered, leave) = (Latch(), Latch())
            let most = IdempotencyAttempts.maximumOfCaller
            nest.handle { run in
                if run == most { entered.open() }
                if run <= most { await leave.wait() }
                return .text("\(run)")
            }
            defer { leave.open() }
            let client = nest.client()
            var connections: [HTTPConnection] = []
            for number in 1...most {
                let connection = try await client.connect()
                let headers: Headers = [.idempotencyKey: "k\(number)", .cookie: "c=\(number)"]
                try await connection.send(.post, "/eggs", headers: headers)
                connections.append(connection)
            }
            await entered.wait()
            let headers: [Headers] = [
                [.idempotencyKey: "k"], [.idempotencyKey: "k", .authorization: "Bearer a"],
                [.idempotencyKey: "k1", .cookie: "c=1"],
            ]
            for headers in headers {
                let refusal = try await client.post("/eggs", headers: headers)
                #expect(refusal.status == .serviceUnavailable && refusal.headers[.retryAfter] == "1")
            }
            #expect(nest.runs == most)
            #expect(try await client.post("/eggs").status == .ok)
            #expect(try await client.post("/accounts/7", headers: [.idempotencyKey: "k"]).status == .ok)
            let other = nest.client(peer: "192.0.2.2")
            #expect(try await other.post("/eggs", headers: [.idempotencyKey: "k"]).status == .ok)
            leave.open()
            for connection in connections { #expect(try await connection.readResponse(to: .post).status == .ok) }
            #expect(try await client.post("/eggs", headers: [.idempotencyKey: "k"]).status == .ok)
        }
    }

    @Test func `a request that has ended counts no more, however it has ended`() async throws {
        struct Broken: Error {}
        try await Nest.run(.sqlite) { nest async throws in
            nest.handle { run in
                if run == 1 { throw Broken() }
                return .text("\(run)")
            }
            let caller = "account 7"
            for _ in 1..<IdempotencyAttempts.maximumOfCaller { try nest.keys.attempts.begin(of: caller) }
            let send = { (path: String, body: [UInt8]) in
                try await nest.client().post(path, headers: [.idempotencyKey: "k"], body: body).status
            }
            #expect(try await send("/accounts/7", [1]) == .internalServerError)
            #expect(try await send("/accounts/7", [1]) == .ok)
            #expect(try await send("/accounts/7", [2]) == .unprocessableContent)
            #expect(try await send("/accounts/7", [1]) == .ok)
            try nest.keys.attempts.begin(of: caller)
            #expect(try await send("/accounts/7", [1]) == .serviceUnavailable)
            #expect(try await send("/accounts/8", [1]) == .ok)
        }
    }

    @Test func `all callers together have a limit`() throws {
        let attempts = IdempotencyAttempts()
        let most = IdempotencyAttempts.maximumOfCaller
        let callers = (1...IdempotencyAttempts.maximum / most).map { "caller \($0)" }
        for _ in 1...2 {
            for caller in callers {
                for _ in 1...most { try attempts.begin(of: caller) }
            }
            #expect(throws: HTTPError.self) { try attempts.begin(of: "another") }
            attempts.end(of: callers[0])
            #expect(throws: HTTPError.self) { try attempts.begin(of: callers[1]) }
            try attempts.begin(of: "another")
            #expect(throws: HTTPError.self) { try attempts.begin(of: callers[0]) }
            attempts.end(of: "another")
            try attempts.begin(of: callers[0])
            for caller in callers {
                for _ in 1...most { attempts.end(of: caller) }
            }
        }
    }
}
