import Processes
import RoostSQL
import Synchronization
import Testing

@testable import RoostPostgres

/// Callers that give up cost no session: the statements that they began are waited for, or ended on the server.
@Suite(
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5)))
struct AbandonmentTests {
    /// The sessions of this database, and how many of them are active.
    private let sessions =
        """
        SELECT string_agg(pid::text, ' ' ORDER BY pid) FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend'
        """ as SQL
    private let busy =
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND state <> 'idle'
        AND pid <> pg_backend_pid()
        """ as SQL

    /// Runs something many times at once, gives up while it is under way, and expects the same sessions afterwards.
    private func giveUp(
        _ count: Int,
        _ database: Database,
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        let before = try await withThrowingTaskGroup { group in
            for _ in 0..<count { group.addTask { try await work() } }
            while try await database.first(busy, as: Int.self) != count { try await turn() }
            let before = try await database.first(sessions, as: String.self)
            group.cancelAll()
            while let result = await group.nextResult() {
                #expect(throws: CancellationError.self) { try result.get() }
            }
            return before
        }
        while try await database.first(busy, as: Int.self) != 0 { try await turn() }
        #expect(try await database.first(sessions, as: String.self) == before)
    }

    @Test(arguments: Place.allCases)
    func `long statements are ended one after the other, and all sessions stay`(place: Place) async throws {
        try await place.withDatabase(PostgresConfiguration(maximumConnections: 7)) { database async throws in
            try await giveUp(6, database) { try await database.execute("SELECT pg_sleep(600)") }
        }
    }

    /// A batch whose first statement takes long, with large ones after it that are still being sent, and without.
    @Test(arguments: [true, false])
    func `a batch is ended, undone, and leaves nothing behind`(isLarge: Bool) async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        try await Place.loop.run {
            let parameters = try ConnectionParameters(url, applicationName: "roost")
            let connection = try await PostgresConnection.open(parameters, .patient, .silent)
            let soon = ContinuousClock.now + .seconds(100)
            try await connection.run("CREATE TABLE t (text text)", until: soon)
            let text = String(repeating: "x", count: isLarge ? 1 << 20 : 1)
            let inserts = (0..<30).map { _ in "INSERT INTO t VALUES (\(text))" as SQL }
            let batch = ["SELECT pg_sleep(600)"] + inserts
            await #expect(throws: DatabaseError.self) { try await connection.batch(batch, until: .now) }
            #expect(await connection.recover(Canceller()))
            #expect(try await connection.run("SELECT count(*) FROM t", until: soon).first == "0")
        }
    }

    @Test func `one that ends soon is waited for, and the server is not asked to end it`() async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        try await Place.loop.run {
            var configuration = PostgresConfiguration.patient
            configuration.abandonment = (grace: .seconds(100), patience: .seconds(100))
            let parameters = try ConnectionParameters(url, applicationName: "roost")
            let connection = try await PostgresConnection.open(parameters, configuration, .silent)
            #expect(connection.send(text: "SELECT pg_sleep(0.1)", try StatementParameters([])))
            #expect(!connection.isIdle)
            // This one could not: its deadline has passed at once.
            #expect(await connection.recover(Canceller(timing: PoolTiming(sleep: { _ in }))))
            #expect(connection.isIdle)
        }
    }

    @Test func `of a large result no more than a little is read before the server is asked`() async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        try await Place.loop.run {
            var configuration = PostgresConfiguration.patient
            configuration.abandonment = (grace: .seconds(100), patience: .seconds(100))
            let parameters = try ConnectionParameters(url, applicationName: "roost")
            let connection = try await PostgresConnection.open(parameters, configuration, .silent)
            let endless = "SELECT repeat('x', 10000 + 0 * generate_series(1, 1000000000))"
            #expect(connection.send(text: endless, try StatementParameters([])))
            #expect(await connection.recover(Canceller()))
        }
    }

    @Test func `a large result is not read to its end where a request to cancel has no effect`() async throws {
        let requests = Mutex(0)
        let server = try CannedServer { peer in
            if !Self.sendLarge(peer) { requests.withLock { $0 += 1 } }
        }
        let url = "postgres://roost@127.0.0.1:\(server.port)/roost?sslmode=disable&gssencmode=disable"
        try await Place.loop.run {
            var configuration = PostgresConfiguration(maximumResultSize: 1 << 20).patient
            configuration.abandonment.grace = .seconds(100)
            configuration.abandonedSize = 4 << 20
            let parameters = try ConnectionParameters(url, applicationName: "roost")
            let connection = try await PostgresConnection.open(parameters, configuration, .silent)
            #expect(connection.send(text: "SELECT", try StatementParameters([])))
            #expect(await !connection.recover(Canceller()))
        }
        #expect(requests.withLock { $0 } == 1)
        withExtendedLifetime(server) {}
    }

    /// Answers a statement with 64 MB, in PostgreSQL's protocol (its chapter "Message Formats").
    /// - Returns: False for a request to cancel, which goes nowhere, as behind a balancer of several servers.
    private static func sendLarge(_ peer: CannedConnection) -> Bool {
        let start = peer.readBody(8)
        guard start.count == 8 else { return true }
        _ = peer.readBody((Int(start[2]) << 8 | Int(start[3])) - 8)
        // The version of the protocol.
        guard start[4...].elementsEqual([0, 3, 0, 0]) else { return false }
        let (done, ready) = ("C\0\0\0\u{8}SET\0", "Z\0\0\0\u{5}I")
        peer.send("R\0\0\0\u{8}\0\0\0\0K\0\0\0\u{C}\0\0\0\u{1}\0\0\0\u{1}" + ready)
        let column = "T\0\0\0\u{1A}\0\u{1}x\0" + "\0\0\0\0\0\0" + "\0\0\0\u{19}" + "\0\0\0\0\0\0\0\0"
        let row = "D\0\0\u{1F}\u{A}\0\u{1}\0\0\u{1F}\0" + String(repeating: "x", count: 0x1F00)
        while true {
            let head = peer.readBody(5)
            guard head.count == 5 else { return true }
            _ = peer.readBody((Int(head[3]) << 8 | Int(head[4])) - 4)
            if head[0] == UInt8(ascii: "Q") { peer.send(done + ready) }
            // What comes before the sync needs no answer of its own.
            guard head[0] == UInt8(ascii: "S") else { continue }
            peer.send("1\0\0\0\u{4}2\0\0\0\u{4}" + column)
            for _ in 0..<8192 { peer.send(row) }
            peer.send(done + ready)
        }
    }

    @Test func `what was being prepared is forgotten`() async throws {
        var configuration = PostgresConfiguration(maximumConnections: 2)
        configuration.abandonment.grace = .seconds(100)
        try await Place.loop.withDatabase(configuration) { database async throws in
            try await database.execute("CREATE TABLE t (n int)")
            let holder = try await OtherTransaction(database)
            try await holder.execute("LOCK TABLE t IN ACCESS EXCLUSIVE MODE")
            let task = Task { try await database.first("SELECT n FROM t", as: Int.self) }
            // In a transaction the view of activity does not change.
            let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 't'::regclass" as SQL
            while try await holder.count(waiting) == 0 { try await turn() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            await holder.end()
            while try await database.first(busy, as: Int.self) != 0 { try await turn() }
            let prepared = "SELECT count(*) FROM pg_prepared_statements WHERE statement = 'SELECT n FROM t'" as SQL
            let both = [try await OtherTransaction(database), try await OtherTransaction(database)]
            for one in both {
                #expect(try await one.count(prepared) == 0)
                await one.end()
            }
        }
    }

    @Test func `a batch that fails leaves no prepared statements`() async throws {
        try await Place.loop.withDatabase(PostgresConfiguration(maximumConnections: 1)) { database async throws in
            try await database.execute("CREATE TABLE t (n int PRIMARY KEY)")
            for _ in 0..<5 {
                await #expect(throws: DatabaseError.uniqueViolation("t.n")) {
                    try await database.batch((0..<3).map { "INSERT INTO t VALUES (\($0 % 2))" })
                }
            }
            let prepared = "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'INSERT%'" as SQL
            #expect(try await database.first(prepared, as: Int.self) == 0)
        }
    }
}
