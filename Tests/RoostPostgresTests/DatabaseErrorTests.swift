import Processes
import RoostSQL
import Testing

@testable import RoostPostgres

/// What an error of the server becomes.
@Suite(.timeLimit(.minutes(5)))
struct DatabaseErrorTests {
    @Test(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"))
    func `an error shows no bound value`() async throws {
        let secret = "pass word"
        try await Place.loop.withDatabase { database async throws in
            let cases: [(SQL, code: String, message: String)] = [
                ("SELECT \(secret)::int", "22P02", "invalid input syntax for type integer"),
                ("SELECT \(secret)::uuid", "22P02", "invalid input syntax for type uuid"),
                ("SELECT \(secret)::timestamptz", "22007", "invalid input syntax for type timestamp with time zone"),
                ("SELECT to_tsquery(\(secret))", "42601", "syntax error in tsquery"),
                ("SELECT * FROM nowhere", "42P01", "relation \"nowhere\" does not exist"),
            ]
            for (sql, code, message) in cases {
                await #expect(throws: DatabaseError.statement(code: code, message: message), "\(sql.text)") {
                    try await database.execute(sql)
                }
            }
        }
    }

    @Test(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"))
    func `a long message of the server is cut behind a whole character`() async throws {
        try await Place.loop.withDatabase { database async throws in
            let message = "x" + String(repeating: "\u{FC}", count: 999) + "…"
            await #expect(throws: DatabaseError.statement(code: "P0001", message: message)) {
                try await database.execute(
                    "DO 'BEGIN RAISE EXCEPTION ''%'', ''x'' || repeat(U&''\\00FC'', 100000); END'")
            }
        }
    }

    @Test(arguments: [(2_000, 2_000, ""), (2_001, 2_000, "…")])
    func `2,000 bytes of a message are kept`(count: Int, kept: Int, mark: String) {
        let message = String(repeating: "a", count: count)
        #expect(DatabaseError.beginning(of: message) == String(repeating: "a", count: kept) + mark)
    }

    @Test(arguments: [
        (
            "ung\u{FC}ltige Eingabesyntax f\u{FC}r Typ integer: \u{BB}geheim\u{AB}",
            "ung\u{FC}ltige Eingabesyntax f\u{FC}r Typ integer"
        ),
        ("syntaxe en entr\u{E9}e invalide : \u{AB}\u{A0}secret\u{A0}\u{BB}", "syntaxe en entr\u{E9}e invalide"),
        ("value \u{201C}secret\u{201D} is out of range", "value"), ("division by zero", "division by zero"),
        ("\"1e400\" is out of range for type double precision", "a value is not allowed"),
    ])
    func `a message is cut before what it quotes`(message: String, rest: String) {
        #expect(DatabaseError.withoutQuotation(message) == rest)
    }

    @Test(arguments: [
        ("40001", DatabaseError.serializationFailure("text")), ("40003", .outcomeUnknown("text")),
        ("25P03", .connectionLost("text")), ("25P04", .connectionLost("text")), ("57P01", .connectionLost("text")),
        ("57P03", .unavailable("text")), ("08006", .connectionLost("text")), ("53300", .unavailable("text")),
        ("58030", .unavailable("text")), ("XX001", .corrupt("text")), ("53100", .full("text")),
        ("25P02", .statement(code: "25P02", message: "text")),
    ])
    func `a server's state is one kind of error`(state: String, error: DatabaseError) {
        #expect(DatabaseError(state: state, message: "text", constraint: nil, column: "") == error)
    }
}
