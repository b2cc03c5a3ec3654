import Processes
import RoostSQL
import Testing

@testable import RoostPostgres

/// The driver behind PgBouncer, which gives it another session with the server for each transaction.
@Suite(
    "Behind a pooler",
    .enabled(if: PostgresServer.isInstalled && Pooler.isInstalled, "scripts/test --all installs what it needs"),
    .timeLimit(.minutes(5)))
struct PoolerTests {
    private struct Row: Decodable, Equatable { let n: Int, text: String }

    /// A new database whose ten connections share two sessions of the server; its name comes last.
    private func withPooler(
        _ body: (Database, PostgresDriver, PostgresServer, String) async throws -> Void
    ) async throws {
        let server = try await PostgresServer.shared()
        let url = try await server.makeDatabase()
        let name = String(url.split(separator: "/").last ?? "")
        let pooler = try await Pooler(before: server, sessions: 2)
        let configuration = PostgresConfiguration(directURL: url).patient
        let driver = try PostgresDriver(pooler.url(name), configuration: configuration, logger: .silent)
        let database = Database(driver, configuration: .patient, logger: .silent)
        try await database.start()
        do { try await body(database, driver, server, name) } catch { Issue.record(error) }
        await database.stop()
        try await pooler.stop()
    }

    @Test func `statements, transactions, batches and cursors of many at a time`() async throws {
        try await withPooler { database, _, server, name in
            try await database.execute("CREATE TABLE t (n int PRIMARY KEY, text text NOT NULL)")
            try await withThrowingTaskGroup { group in
                for writer in 0..<10 {
                    group.addTask {
                        for number in 0..<20 {
                            let n = writer * 100 + number
                            try await database.execute("INSERT INTO t VALUES (\(n), \("\(n)"))")
                            let row = try await database.first("SELECT n, text FROM t WHERE n = \(n)", as: Row.self)
                            #expect(row == Row(n: n, text: "\(n)"))
                            try await database.transaction { transaction in
                                try await transaction.execute("UPDATE t SET text = 'changed' WHERE n = \(n)")
                                try await transaction.execute("UPDATE t SET text = \("\(-n)") WHERE n = \(n)")
                            }
                        }
                        try await database.batch(
                            (0..<20).map { "UPDATE t SET text = text || '!' WHERE n = \(writer * 100 + $0)" })
                    }
                }
                try await group.waitForAll()
            }
            var sum = 0
            for try await row in database.stream("SELECT n, text FROM t ORDER BY n", as: Row.self) {
                #expect(row.text == "\(-row.n)!")
                sum += 1
            }
            #expect(sum == 200)
            // Nothing of theirs stays in the server's sessions.
            let sessions = try await server.psql(
                "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND datname = '\(name)'")
            #expect((1...2).contains(Int(sessions.dropLast()) ?? 0))
            for _ in 0..<4 {
                let left = try await database.first(
                    "SELECT count(*)::int FROM pg_prepared_statements", as: Int.self)
                #expect(left == 0)
            }
        }
    }

    @Test func `a time has the form that the driver reads, in each session of the server`() async throws {
        try await withPooler { database, _, server, name in
            try await server.psql("ALTER DATABASE \(name) SET TimeZone = 'America/New_York'")
            try await server.psql("ALTER DATABASE \(name) SET DateStyle = 'SQL, DMY'")
            for _ in 0..<10 {
                let time = try await database.first("SELECT timestamptz '2026-11-22 12:00Z'::text", as: String.self)
                #expect(time == "2026-11-22 12:00:00+00")
            }
        }
    }

    @Test func `a migration leaves no temporary table in a session of the server`() async throws {
        try await withPooler { database, _, _, _ async throws in
            let list = [MigratorTests.withTemporaryTable("one"), MigratorTests.withTemporaryTable("two")]
            #expect(try await Migrator(database, list).run().map(\.name) == ["one", "two"])
            let left = "SELECT count(*) FROM pg_class WHERE relpersistence = 't'" as SQL
            #expect(try await database.first(left, as: Int.self) == 0)
        }
    }

    @Test func `notifications come past it`() async throws {
        try await withPooler { database, driver, _, _ in
            let iterator = driver.notifications(on: ["news"]).makeAsyncIterator()
            #expect(try await iterator.next() == .listening)
            try await database.execute("SELECT pg_notify('news', 'hello')")
            #expect(try await iterator.next() == .notification(channel: "news", payload: "hello"))
        }
    }
}
