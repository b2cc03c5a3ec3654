import Engines
import RoostTesting
import Testing

@testable import Roost
@testable import RoostSQL

/// Forms with an `Idempotency-Key` that show a failure themselves.
@Suite("Idempotency-Key of a form", .timeLimit(.minutes(5)))
struct IdempotentFormTests {
    @Test(arguments: Engine.allCases)
    func `a form that shows a commit of unknown outcome keeps the key until the attempt is given up`(
        engine: Engine
    ) async throws {
        try await Nest.run(engine) { nest async throws in
            nest.handle { run in
                switch run {
                case 1: throw HTTPError(.conflict, "Taken.")
                case 2: throw DatabaseError.unavailable("no connection")
                case 3: throw DatabaseError.outcomeUnknown("no reply")
                default: .text("\(run)")
                }
            }
            let client = nest.client()
            let send = { try await client.post("/form", form: ["egg": "blue"], headers: [.idempotencyKey: "k"]) }
            #expect(try await send().text == "Taken.")
            #expect(try await send().text.hasPrefix("The data cannot be reached"))
            let shown = try await send()
            #expect(shown.status == .serviceUnavailable && shown.text.hasPrefix("This may have been done, or not."))
            let again = try await send()
            #expect(again.status == .conflict && again.text.contains("is under way"))
            #expect(nest.runs == 3)
            nest.advance(60)
            #expect(try await send().text == "4")
        }
    }

    /// As another program may leave it.
    @Test(arguments: [
        "response = 'x'", "response = '{}'", "response = x'00'", "status = 101", "status = 1000", "status = 'x'",
        #"response = '{"fields":[["X-Egg","a\r\nb"]],"body":""}'"#, #"response = '{"fields":[["a b","c"]],"body":""}'"#,
    ])
    func `a kept response that cannot be read counts as lost`(change: String) async throws {
        try await Nest.run(.sqlite) { nest async throws in
            let client = nest.client()
            let send = { try await client.post("/eggs", headers: [.idempotencyKey: "k"], body: [1]) }
            #expect(try await send().text == "1")
            try await nest.database.execute(SQL(unchecked: "UPDATE idempotency_keys SET \(change)"))
            let again = try await send()
            #expect(again.status == .conflict && again.text.contains("was carried out"), "\(again.text)")
            #expect(nest.runs == 1)
        }
    }
}
