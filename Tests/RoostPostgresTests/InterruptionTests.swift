import CPostgres
import Glibc
import Processes
import RoostSQL
import Synchronization
import Testing

@testable import RoostPostgres

/// Callers that give up, and servers that go away.
@Suite(
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5)))
struct InterruptionTests {
    /// The statements that run on the server for this database, except the one that asks.
    private let others =
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active'
        AND backend_type = 'client backend'
        """ as SQL

    @Test(arguments: Place.allCases)
    func `a statement past its deadline is ended on the server, and the connection goes on`(place: Place) async throws {
        let configuration = PostgresConfiguration(maximumConnections: 1)
        try await place.withDatabase(configuration) { database async throws in
            let pid = try await database.first("SELECT pg_backend_pid()", as: Int.self)
            let error = await #expect(throws: DatabaseError.self) {
                try await database.with(timeout: .milliseconds(100)).execute("SELECT pg_sleep(600)")
            }
            #expect(text(error).hasPrefix("The database took too long"))
            // The only connection, once it is free again.
            #expect(try await database.first("SELECT pg_backend_pid()", as: Int.self) == pid)
        }
    }

    @Test(arguments: [true, false])
    func `a change that waits for a lock past its deadline has changed nothing`(isBatch: Bool) async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        try await Place.loop.run {
            let parameters = try ConnectionParameters(url, applicationName: "roost")
            let holder = try await PostgresConnection.open(parameters, .patient, .silent)
            let connection = try await PostgresConnection.open(parameters, .patient, .silent)
            connection.canceller = Canceller()
            let soon = ContinuousClock.now + .seconds(100)
            try await holder.run("CREATE TABLE t (n int); INSERT INTO t VALUES (1)", until: soon)
            try await holder.run("BEGIN; UPDATE t SET n = 3", until: soon)
            let error = await #expect(throws: DatabaseError.self) {
                let change = "UPDATE t SET n = 2" as SQL
                if isBatch { return try await connection.batch([change], until: .now + .seconds(3)) }
                #expect(connection.send(text: change.text, try StatementParameters([])))
                // For the end of the holder's transaction.
                let waiting =
                    "SELECT count(*) FROM pg_locks WHERE NOT granted AND transactionid::text = txid_current()::text"
                while try await holder.run(waiting, until: soon).first != "1" { try await turn() }
                _ = try await connection.committing {
                    try await connection.ending(until: .now) { try await connection.lastResult(until: $0) }
                }
            }
            #expect(text(error).hasPrefix("The database took too long"))
            #expect(await connection.recover(Canceller()))
            try await holder.run("ROLLBACK", until: soon)
            #expect(try await connection.run("SELECT n FROM t", until: soon).first == "1")
        }
    }

    @Test(arguments: Place.allCases)
    func `a cancelled task ends its statement on the server`(place: Place) async throws {
        let configuration = PostgresConfiguration(maximumConnections: 2)
        try await place.withDatabase(configuration) { database async throws in
            await #expect(throws: CancellationError.self) {
                try await withThrowingTaskGroup { group in
                    group.addTask { _ = try await database.execute("SELECT pg_sleep(600)") }
                    while try await database.first(others, as: Int.self) == 0 { try await turn() }
                    group.cancelAll()
                    try await group.waitForAll()
                }
            }
            while try await database.first(others, as: Int.self) != 0 { try await turn() }
        }
    }

    @Test func `a cancelled transaction is undone`() async throws {
        try await Place.loop.withDatabase(PostgresConfiguration(maximumConnections: 2)) { database async throws in
            try await database.execute("CREATE TABLE t (n int)")
            await #expect(throws: CancellationError.self) {
                try await withThrowingTaskGroup { group in
                    group.addTask {
                        try await database.transaction { transaction in
                            try await transaction.execute("INSERT INTO t VALUES (1)")
                            try await transaction.execute("SELECT pg_sleep(600)")
                        }
                    }
                    while try await database.first(others, as: Int.self) == 0 { try await turn() }
                    group.cancelAll()
                    try await group.waitForAll()
                }
            }
            try await database.execute("DROP TABLE t")
            #expect(try await database.first("SELECT 1", as: Int.self) == 1)
        }
    }

    @Test(arguments: Place.allCases)
    func `a connection that the server has closed is not used`(place: Place) async throws {
        try await place.withDatabase(PostgresConfiguration(maximumConnections: 3)) { database async throws in
            for _ in 0..<5 {
                try await withThrowingTaskGroup { group in
                    for _ in 0..<3 { group.addTask { try await database.execute("SELECT pg_sleep(0.05)") } }
                    try await group.waitForAll()
                }
                // One that is still being opened would count as a failed attempt.
                let driver = try #require(database.driver as? PostgresDriver)
                while driver.pool.state.withLock({ $0.idleCount < $0.count }) { try await turn() }
                let server = try await PostgresServer.shared()
                let name = try await database.first("SELECT current_database()", as: String.self) ?? ""
                try await server.psql(
                    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '\(name)'"
                )
                #expect(try await database.first("SELECT 1", as: Int.self) == 1)
            }
        }
    }

    @Test func `the server ends a statement when the program is gone`() async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        try await Place.loop.run {
            let parameters = try ConnectionParameters(url, applicationName: "roost")
            let connection = try await PostgresConnection.open(parameters, .patient, .silent)
            let watcher = try await PostgresConnection.open(parameters, .patient, .silent)
            #expect(connection.send(text: "SELECT pg_sleep(600)", try StatementParameters([])))
            let soon = ContinuousClock.now + .seconds(100)
            while try await watcher.run(others.text, until: soon).first != "1" { try await turn() }
            // It asks for nothing, and says no goodbye.
            shutdown(PQsocket(connection.handle), Int32(SHUT_RDWR))
            while try await watcher.run(others.text, until: soon).first != "0" { try await turn() }
        }
    }

    @Test(arguments: Place.allCases)
    func `many callers share few connections`(place: Place) async throws {
        let configuration = PostgresConfiguration(maximumConnections: 3)
        try await place.withDatabase(configuration, timeout: .seconds(100)) { database async throws in
            let sum = try await withThrowingTaskGroup { group in
                for number in 1...300 {
                    group.addTask { try await database.first("SELECT \(number)::int", as: Int.self) ?? 0 }
                }
                return try await group.reduce(0, +)
            }
            #expect(sum == 45_150)
            let count =
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND backend_type = 'client backend'
                """ as SQL
            #expect(try await database.first(count, as: Int.self) ?? 0 <= 3)
        }
    }

    @Test(arguments: ["COPY (SELECT 1) TO STDOUT", "COPY copied FROM STDIN"])
    func `a copy that nobody reads does not keep the loop busy`(statement: String) async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        try await Place.loop.run {
            let parameters = try ConnectionParameters(url, applicationName: "roost")
            let configuration = PostgresConfiguration.patient
            let connection = try await PostgresConnection.open(parameters, configuration, .silent)
            try await connection.run("CREATE TABLE copied (id INT)", until: .now + .seconds(100))
            #expect(connection.send(text: statement, try StatementParameters([])))
            #expect(await !connection.recover(Canceller()))
        }
    }
}
