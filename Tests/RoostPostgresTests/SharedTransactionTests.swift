import Processes
import RoostSQL
import Testing

@testable import RoostPostgres

/// What reads that share a transaction may not do to each other.
@Suite(
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5)))
struct SharedTransactionTests {
    /// How many transactions some reads of one turn have: the time of a transaction is that of its beginning.
    private func transactions(of database: Database) async throws -> Int {
        let times = await Numbers.all(0..<30) { number in
            try await database.first("SELECT CURRENT_TIMESTAMP::text FROM t WHERE n = \(number)", as: String.self)
        }
        return Set(try times.map { try $0.get() }).count
    }

    @Test func `what a read writes behind a view stays written, whatever fails beside it`() async throws {
        try await Numbers.withTable { database async throws in
            try await database.execute("CREATE TABLE visits (n int)")
            try await database.execute(
                """
                CREATE FUNCTION visit() RETURNS bigint LANGUAGE sql VOLATILE
                AS 'INSERT INTO visits VALUES (1); SELECT count(*) FROM visits'
                """)
            try await database.execute("CREATE VIEW visit AS SELECT visit() AS n")
            var visits = 0
            for _ in 0..<3 {
                let results = await Numbers.all(0..<30) { number in
                    switch number % 10 {
                    case 3: try await database.first("SELECT n FROM visit", as: Int.self)
                    case 7: try await database.first("SELECT 1 / n FROM t WHERE n = 0", as: Int.self)
                    default: try await database.first("SELECT n FROM t WHERE n = \(number)", as: Int.self)
                    }
                }
                for (number, result) in results.enumerated() {
                    switch number % 10 {
                    case 3: visits += try result.get() == nil ? 0 : 1
                    case 7: #expect(throws: DatabaseError.self) { try result.get() }
                    default: #expect(try result.get() == number)
                    }
                }
                #expect(try await database.first("SELECT count(*) FROM visits", as: Int.self) == visits)
            }
            #expect(visits == 9)
        }
    }

    @Test func `where transactions are serializable, each read has its own`() async throws {
        try await Numbers.withTable { database async throws in
            let shared = try await transactions(of: database)
            #expect(shared < 10)
        }
        let options = "?options=-c%20default_transaction_isolation%3Dserializable"
        try await Numbers.withTable(options: options) { database async throws in
            let alone = try await transactions(of: database)
            #expect(alone > 20)
        }
    }

    @Test func `a session that has forgotten its statements learns them again`() async throws {
        try await Numbers.withTable(PostgresConfiguration(maximumConnections: 1)) { database async throws in
            for _ in 0..<2 {
                _ = try await transactions(of: database)
                try await database.execute("DEALLOCATE ALL")
                let results = await Numbers.all(0..<30) { number in
                    try await database.first("SELECT n FROM t WHERE n = \(number)", as: Int.self)
                }
                let numbers = try results.map { try $0.get() }
                #expect(numbers == Array(0..<30))
            }
        }
    }
}
