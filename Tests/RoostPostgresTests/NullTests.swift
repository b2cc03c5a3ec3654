import Processes
import RoostSQL
import Testing

@testable import RoostPostgres

/// `NULL` is no value of any type: libpq's text for it is empty, like that of an empty text.
@Suite(
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5)))
struct NullTests {
    /// A row that reads itself, and one that is decoded.
    private struct Own: SQLReadable {
        let text: String?
        let truth: Bool?
        let number: Int?
        let bytes: [UInt8]?

        init(reading columns: inout SQLColumns) throws {
            text = try columns.readIfPresent("text")
            truth = try columns.readIfPresent("truth")
            number = try columns.readIfPresent("number")
            bytes = try columns.readIfPresent("bytes")
        }
    }

    private struct Name: SQLReadable {
        let text: String

        init(reading columns: inout SQLColumns) throws { text = try columns.read("text") }
    }

    private static let nothing: SQL =
        "SELECT NULL::text AS text, NULL::boolean AS truth, NULL::bigint AS number, NULL::bytea AS bytes"

    @Test func `is nil for a row that reads itself`() async throws {
        try await Numbers.withTable { database async throws in
            let row = try #require(try await database.first(Self.nothing, as: Own.self))
            #expect(row.text == nil && row.truth == nil && row.number == nil && row.bytes == nil)
            let other = try await database.first(
                "SELECT '' AS text, false AS truth, 0::bigint AS number, ''::bytea AS bytes", as: Own.self)
            let full = try #require(other)
            #expect(full.text == "" && full.truth == false && full.number == 0 && full.bytes == [])
        }
    }

    @Test func `is an error where a value is wanted`() async throws {
        try await Numbers.withTable { database async throws in
            await #expect(throws: DatabaseError.self) { try await database.first(Self.nothing, as: Name.self) }
            await #expect(throws: DatabaseError.self) { try await database.first("SELECT NULL::text", as: String.self) }
            await #expect(throws: DatabaseError.self) { try await database.first("SELECT NULL::bool", as: Bool.self) }
        }
    }
}
