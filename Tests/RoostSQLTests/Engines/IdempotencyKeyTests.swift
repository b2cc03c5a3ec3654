import Engines
import RoostTesting
import Synchronization
import Testing

@testable import Roost
@testable import RoostSQL

/// Requests with an `Idempotency-Key`, with a table of each engine.
@Suite("Idempotency-Key", .timeLimit(.minutes(5)))
struct IdempotencyKeyTests {
    @Test(arguments: Engine.allCases)
    func `a repetition gets the first response, without its cookies, and nothing runs again`(
        engine: Engine
    ) async throws {
        try await Nest.run(engine) { nest async throws in
            nest.handle { run in
                Response(
                    .created, headers: [.location: "/eggs/\(run)", .setCookie: "a=b", .contentType: "text/plain"],
                    body: Body("egg \(run) 🥚"))
            }
            let client = nest.client()
            let first = try await client.post("/eggs", headers: [.key: "\"k-1\""], body: [1, 2])
            #expect(first.status == .created && first.headers[.setCookie] == "a=b")
            for key in ["\"k-1\"", "k-1"] {
                let again = try await client.post("/eggs", headers: [.key: key, .cookie: ""], body: [1, 2])
                #expect(again.status.reasonPhrase == "Created")
                #expect(again.status == .created && again.text == "egg 1 🥚")
                #expect(again.headers[.location] == "/eggs/1" && again.headers[.contentType] == "text/plain")
                #expect(again.headers[.setCookie] == nil)
            }
            #expect(nest.runs == 1)
            #expect(try await client.post("/eggs", headers: [.key: "k-2"], body: [1, 2]).text == "egg 2 🥚")
            #expect(try await client.post("/eggs", body: [1, 2]).text == "egg 3 🥚")
        }
    }

    @Test(arguments: Engine.allCases)
    func `another body, query or type with the same key is refused`(engine: Engine) async throws {
        try await Nest.run(engine) { nest async throws in
            let client = nest.client()
            let headers: Headers = [.key: "k", .contentType: "text/plain"]
            #expect(try await client.post("/eggs?a=1", headers: headers, body: [1]).status == .ok)
            let other = [
                try await client.post("/eggs?a=1", headers: headers, body: [2]),
                try await client.post("/eggs?a=2", headers: headers, body: [1]),
                try await client.post("/eggs?a=1", headers: [.key: "k", .contentType: "text/html"], body: [1]),
            ]
            for response in other {
                #expect(response.status == .unprocessableContent)
                #expect(response.headers[.contentType] == "application/problem+json")
                #expect(response.text.contains("belongs to another request"))
            }
            #expect(nest.runs == 1)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a response may be kept for ever`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            try await Migrator(databases[0], IdempotencyKeys.migrations, logger: LogLines().logger).run()
            let keys = IdempotencyKeys(databases[0], lifetime: .seconds(Int64.max), attemptTime: .seconds(Int64.max))
            let runs = Atomic(0)
            let application = try Application(logger: LogLines().logger, middleware: [keys]) { routes in
                routes.post(Path("/eggs")) { _ in "\(runs.add(1, ordering: .relaxed).newValue)" }
            }
            let client = TestClient(application)
            for _ in 0..<2 { #expect(try await client.post("/eggs", headers: [.key: "k"]).text == "1") }
            await keys.settle()
        }
    }

    @Test(arguments: Engine.allCases)
    func `a path that differs in an encoded slash is another request`(engine: Engine) async throws {
        try await Nest.run(engine) { nest async throws in
            let client = nest.client()
            #expect(try await client.post("/nests/a%2Fb", headers: [.key: "k"]).text == "1")
            #expect(try await client.post("/nests/a/b", headers: [.key: "k"]).status == .unprocessableContent)
            #expect(try await client.post("/nests/a%2Fb", headers: [.key: "k"]).text == "1")
        }
    }

    @Test(arguments: Engine.allCases)
    func `each caller, path and method has keys of its own`(engine: Engine) async throws {
        try await Nest.run(engine) { nest async throws in
            let (one, two) = (nest.client(), nest.client(peer: "192.0.2.2"))
            #expect(try await one.post("/eggs", headers: [.key: "k"]).text == "1")
            #expect(try await two.post("/eggs", headers: [.key: "k"]).text == "2")
            #expect(try await one.post("/eggs", headers: [.key: "k", .authorization: "Bearer a"]).text == "3")
            #expect(try await one.post("/eggs", headers: [.key: "k", .authorization: "Bearer b"]).text == "4")
            #expect(try await two.post("/eggs", headers: [.key: "k", .authorization: "Bearer a"]).text == "3")
            #expect(try await one.post("/eggs", headers: [.key: "k", .cookie: "c=1"]).text == "5")
            #expect(try await one.post("/accounts/7", headers: [.key: "k"]).text == "6")
            #expect(try await two.post("/accounts/7", headers: [.key: "k", .cookie: "c=1"]).text == "6")
            #expect(try await one.post("/accounts/8", headers: [.key: "k"]).text == "7")
            #expect(try await one.patch("/eggs", headers: [.key: "k"]).text == "8")
            #expect(try await one.put("/eggs", headers: [.key: "k"]).text == "9")
            #expect(try await one.put("/eggs", headers: [.key: "k"]).text == "10")
        }
    }

    @Test(arguments: Engine.allCases)
    func `of two requests at the same time one runs, and the other is told so`(engine: Engine) async throws {
        try await Nest.run(engine) { nest async throws in
            let (entered, leave) = (Latch(), Latch())
            nest.handle { run in
                entered.open()
                await leave.wait()
                return .text("\(run)")
            }
            async let first = nest.client().post("/eggs", headers: [.key: "k"])
            await entered.wait()
            let second = try await nest.client().post("/eggs", headers: [.key: "k"])
            #expect(second.status == .conflict && second.headers[.retryAfter] == "1")
            leave.open()
            #expect(try await first.text == "1")
            #expect(try await nest.client().post("/eggs", headers: [.key: "k"]).text == "1")
            #expect(nest.runs == 1)
        }
    }

    @Test(arguments: Engine.allCases)
    func `many requests at the same time run the handler once`(engine: Engine) async throws {
        try await Nest.run(engine) { nest async throws in
            let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await nest.client().post("/eggs", headers: [.key: "k"]).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(nest.runs == 1)
            #expect(statuses.allSatisfy { $0 == .ok || $0 == .conflict } && statuses.contains(.ok))
        }
    }

    @Test(arguments: Engine.allCases)
    func `after an error the same request may be sent again`(engine: Engine) async throws {
        try await Nest.run(engine) { nest async throws in
            nest.handle { run in
                switch run {
                case 1: throw HTTPError(.unprocessableContent, "No.")
                case 2: throw Broken()
                case 3: .text("later", status: .serviceUnavailable)
                default: .text("\(run)")
                }
            }
            let client = nest.client()
            var statuses: [Int] = []
            for _ in 0..<5 { statuses.append(try await client.post("/eggs", headers: [.key: "k"]).status.code) }
            #expect(statuses == [422, 500, 503, 200, 200])
            #expect(nest.runs == 4)
        }
    }

    @Test(arguments: Engine.allCases)
    func `after a commit of unknown outcome nothing runs again until the attempt is given up`(
        engine: Engine
    ) async throws {
        try await Nest.run(engine) { nest async throws in
            nest.handle { run in
                let error = DatabaseError.outcomeUnknown("no reply")
                if run == 1 { throw error }
                // As a filter between the two adds its fields to it.
                if run == 2 { _ = try Deprecated(since: .now).recover(from: error, in: Request(.post, "/eggs")) }
                return .text("\(run)")
            }
            let client = nest.client()
            for _ in 1...2 {
                #expect(try await client.post("/eggs", headers: [.key: "k"]).status == .serviceUnavailable)
                #expect(try await client.post("/eggs", headers: [.key: "k"]).status == .conflict)
                nest.advance(60)
            }
            #expect(try await client.post("/eggs", headers: [.key: "k"]).text == "3")
        }
    }

    @Test(arguments: Engine.allCases)
    func `the handler goes on when its client leaves, and the response is kept`(engine: Engine) async throws {
        try await Nest.run(engine) { nest async throws in
            let (entered, leave, left) = (Latch(), Latch(), Latch())
            nest.handle { run in
                entered.open()
                await leave.wait()
                let wasCancelled = Task.isCancelled
                left.open()
                return .text("\(run) \(wasCancelled)")
            }
            let client = nest.client()
            let connection = try await client.connect()
            try await connection.send(.post, "/eggs", headers: [.key: "k"], body: [])
            await entered.wait()
            connection.close()
            leave.open()
            await left.wait()
            var again = try await client.post("/eggs", headers: [.key: "k"])
            while again.status == .conflict { again = try await client.post("/eggs", headers: [.key: "k"]) }
            #expect(again.text == "1 false")
        }
    }

    @Test(arguments: Engine.allCases)
    func `a request that never ended is given up, and a late end of it changes nothing`(engine: Engine) async throws {
        try await Nest.run(engine) { nest async throws in
            let (entered, leave) = (Latch(), Latch())
            nest.handle { run in
                if run == 1 {
                    entered.open()
                    await leave.wait()
                }
                return .text("\(run)")
            }
            let client = nest.client()
            async let first = nest.client().post("/eggs", headers: [.key: "k"])
            await entered.wait()
            nest.advance(59)
            #expect(try await client.post("/eggs", headers: [.key: "k"]).status == .conflict)
            nest.advance(1)
            #expect(try await client.post("/eggs", headers: [.key: "k"]).text == "2")
            leave.open()
            #expect(try await first.text == "1")
            #expect(try await client.post("/eggs", headers: [.key: "k"]).text == "2")
        }
    }

    @Test(arguments: Engine.allCases)
    func `a response is kept for a day, and then deleted`(engine: Engine) async throws {
        try await Nest.run(engine) { nest async throws in
            let client = nest.client()
            #expect(try await client.post("/eggs", headers: [.key: "k"]).text == "1")
            nest.advance(24 * 60 * 60 - 1)
            #expect(try await client.post("/eggs", headers: [.key: "k"]).text == "1")
            nest.advance(1)
            #expect(try await client.post("/eggs", headers: [.key: "other"]).text == "2")
            await nest.keys.settle()
            #expect(try await nest.database.query("SELECT id FROM idempotency_keys", as: String.self).count == 1)
            #expect(try await client.post("/eggs", headers: [.key: "k"]).text == "3")
        }
    }

    @Test(arguments: Engine.allCases)
    func `a response that cannot be kept is not made again`(engine: Engine) async throws {
        try await Nest.run(engine) { nest async throws in
            nest.handle { run in
                run == 1
                    ? Response(.ok, body: Body([UInt8](repeating: 65, count: 101)))
                    : Response(.ok, body: Body(stream: AsyncThrowingStream { $0.finish() }))
            }
            let client = nest.client()
            for key in ["large", "streamed"] {
                #expect(try await client.post("/eggs", headers: [.key: key]).status == .ok)
                let again = try await client.post("/eggs", headers: [.key: key])
                #expect(again.status == .conflict && again.text.contains("was carried out"))
            }
            #expect(nest.runs == 2)
        }
    }

    @Test(arguments: Engine.allCases)
    func `keys and bodies have limits, and a key may be required`(engine: Engine) async throws {
        try await Nest.run(engine) { nest async throws in
            let client = nest.client()
            let longest = String(repeating: "k", count: 255)
            #expect(try await client.post("/eggs", headers: [.key: longest]).status == .ok)
            for key in [longest + "k", "\"\"", "a b", "a,b", "\"a\";b", "\"a\\b\"", "\"a", "ä"] {
                let response = try await client.post("/eggs", headers: [.key: key])
                #expect(response.status == .badRequest, "\(key)")
                #expect(response.headers[.contentType] == "application/problem+json")
            }
            let large = [UInt8](repeating: 0, count: 1001)
            #expect(try await client.post("/eggs", headers: [.key: "k"], body: large).status == .contentTooLarge)
            let missing = try await client.post("/required")
            #expect(missing.status == .badRequest && missing.text.contains("Send a field Idempotency-Key"))
            #expect(try await client.get("/required").status == .ok)
        }
    }

    @Test func `the description names the field where it is used`() async throws {
        try await Nest.run(.sqlite) { nest async throws in
            let document = try await nest.client().get("/api/openapi.json").json(JSONValue.self)
            let path = document["paths"]?["/required"]
            let parameter = path?["post"]?["parameters"]?.elements.first
            #expect(parameter?["name"] == "Idempotency-Key" && parameter?["required"] == true)
            let pattern = try Regex(try #require(parameter?["schema"]?["pattern"]?.text))
            for key in ["k-1", "\"k-1\"", "a b", "a,b", "\"a", "a;b", "a\\b", "[~!]", ""] {
                #expect((key.wholeMatch(of: pattern) != nil) == (IdempotencyKeys.key(key) != nil), "\(key)")
            }
            for status in ["400", "409", "422"] { #expect(path?["post"]?["responses"]?[status] != nil) }
            #expect(path?["get"]?["parameters"] == nil && path?["get"]?["responses"]?["409"] == nil)
            let optional = document["paths"]?["/eggs"]?["post"]?["parameters"]?.elements.first
            #expect(optional?["required"] == false)
        }
    }

    private struct Broken: Error {}
}

extension HTTPField.Name {
    fileprivate static let key = HTTPField.Name("Idempotency-Key") ?? .eTag
}
