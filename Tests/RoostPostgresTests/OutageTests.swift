import Logging
import Processes
import RoostSQL
import RoostTesting
import Testing

@testable import Roost
@testable import RoostPostgres

/// Servers that are missing, that go away, and that come back.
@Suite(
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5))
)
struct OutageTests {
    /// With enough time for a busy machine.
    private func database(_ url: String, _ log: LogLines) throws -> Database {
        let driver = try PostgresDriver(url, configuration: .patient, logger: log.logger)
        return Database(driver, configuration: .patient, logger: .silent)
    }

    /// Asks until the pool tries again and finds the server.
    private func recovered(_ database: Database) async throws {
        while true {
            do {
                return try await database.ping()
            } catch let error as DatabaseError where error.isUnavailability {
                try await turn()
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `a start without a server succeeds, and goes on when it is there`(place: Place) async throws {
        let server = try await PostgresServer()
        try await server.stop()
        let log = LogLines(.trace)
        let url = server.url()
        try await place.run {
            let database = try database(url, log)
            try await database.start()
            let error = await #expect(throws: DatabaseError.self) { try await database.ping() }
            #expect(text(error).contains("Connection refused"))
            #expect(error?.httpError?.status == .serviceUnavailable)
            #expect(error?.httpError?.headers[.retryAfter] != nil)
            try await server.start()
            try await recovered(database)
            await database.stop()
        }
        #expect(log.all.contains { $0.contains("Connection refused") && $0.contains("the next attempt is possible") })
        #expect(log.all.contains("The database can be reached again."))
        #expect(!log.all.contains { $0.contains("roost:roost") })
    }

    /// As sessions are that were opened while the disk was full, or with a server that has become a copy.
    @Test func `a session that has refused a change because it can only read is replaced`() async throws {
        let insert = "INSERT INTO t VALUES (1)" as SQL
        let readsOnly = "SET default_transaction_read_only = on" as SQL
        let writes: [@Sendable (Database) async throws -> Void] = [
            { _ = try await $0.execute(insert) }, { try await $0.batch([insert]) },
            { try await $0.transaction { _ = try await $0.execute(insert) } },
        ]
        var configuration = PostgresConfiguration(maximumConnections: 1)
        configuration.leastAge = .zero
        try await Place.loop.withDatabase(configuration) { database async throws in
            try await database.execute("CREATE TABLE t (n int)")
            for write in writes {
                try await database.execute(readsOnly)
                let error = await #expect(throws: DatabaseError.self) { try await write(database) }
                #expect(text(error).hasPrefix("The database can only be read"))
                try await write(database)
            }
            try await database.execute(readsOnly)
            let count = try await database.transaction { transaction in
                await #expect(throws: DatabaseError.self) {
                    try await transaction.savepoint { _ = try await $0.execute(insert) }
                }
                return try await transaction.first("SELECT count(*) FROM t", as: Int.self)
            }
            #expect(count == 3)
            try await database.execute(insert)
        }
    }

    @Test func `a young one is kept, so that refused changes leave sessions for reading`() async throws {
        try await Place.loop.withDatabase(PostgresConfiguration(maximumConnections: 1)) { database async throws in
            let number = "SELECT pg_backend_pid()" as SQL
            let first = try await database.first(number, as: Int.self)
            try await database.execute("SET default_transaction_read_only = on")
            for _ in 0..<3 {
                await #expect(throws: DatabaseError.self) { try await database.execute("CREATE TABLE t (n int)") }
                #expect(try await database.first(number, as: Int.self) == first)
            }
        }
    }

    @Test func `a server that crashes in between is used again when it is back`() async throws {
        let server = try await PostgresServer()
        let log = LogLines(.trace)
        let url = server.url()
        try await Place.loop.run {
            let database = try database(url, log)
            try await database.start()
            try await database.execute("CREATE TABLE t (n int)")
            var acknowledged = 0
            for round in 0..<3 {
                for number in 0..<20 {
                    try await database.execute("INSERT INTO t VALUES (\(round * 100 + number))")
                    acknowledged += 1
                }
                try await server.kill()
                await #expect(throws: DatabaseError.self) { try await database.ping() }
                try await server.start()
                try await recovered(database)
                #expect(try await database.first("SELECT count(*) FROM t", as: Int.self) == acknowledged)
            }
            await database.stop()
        }
    }

    @Test func `a host that accepts connections and says nothing does not hold anybody up forever`() async throws {
        let (listener, port) = try SilentListener.open()
        let log = LogLines(.trace)
        try await Place.loop.run {
            let database = try database("postgres://ada:secret@127.0.0.1:\(port)/x?connect_timeout=1", log)
            let error = await #expect(throws: DatabaseError.self) { try await database.ping() }
            #expect(text(error).contains("does not respond"))
            await database.stop()
        }
        #expect(!log.all.joined().contains("secret"))
        listener.close()
    }

    @Test func `the next host is used when one is down or mute`() async throws {
        let (listener, port) = try SilentListener.open()
        let server = try await PostgresServer.shared()
        let free = try FreePort.next()
        let log = LogLines(.trace)
        let hosts = "127.0.0.1:\(free),127.0.0.1:\(port),localhost:\(server.port)"
        try await Place.loop.run {
            let database = try database("postgres://roost:roost@\(hosts)/roost?connect_timeout=4", log)
            // On a busy machine, the server itself may take longer than that.
            try await recovered(database)
            await database.stop()
        }
        listener.close()
    }

    @Test func `a server that takes no request to cancel holds nobody up`() async throws {
        let server = try await PostgresServer()
        let url = server.url()
        try await Place.loop.run {
            let parameters = try ConnectionParameters(url, applicationName: "roost")
            let configuration = PostgresConfiguration.patient
            let connection = try await PostgresConnection.open(parameters, configuration, .silent)
            try server.freeze()
            await #expect(throws: DatabaseError.self) { try await connection.run("SELECT pg_sleep(600)", until: .now) }
            // As if the server's time were over.
            let canceller = Canceller(timing: PoolTiming(sleep: { _ in }))
            #expect(await !connection.recover(canceller))
            try await server.kill()
        }
    }

    @Test func `work that keeps the application's threads busy holds up neither sessions nor requests to cancel`()
        async throws
    {
        let url = try await PostgresServer.shared().makeDatabase()
        let loops = try EventLoopGroup(count: 1, pool: BlockingPool(threads: 1, queue: 10))
        let (isBusy, end) = (Latch(), CountingSemaphore())
        let work = Task(executorPreference: loops.loops[0]) {
            try await offload {
                isBusy.open()
                end.wait()
            }
        }
        await isBusy.wait()
        let result = await Task(executorPreference: loops.loops[0]) {
            let parameters = try ConnectionParameters(url, applicationName: "roost")
            let connection = try await PostgresConnection.open(parameters, .patient, .silent)
            await #expect(throws: DatabaseError.self) { try await connection.run("SELECT pg_sleep(600)", until: .now) }
            #expect(await connection.recover(Canceller()))
        }.result
        end.post()
        try await work.value
        loops.stop()
        try result.get()
    }

    @Test(arguments: [
        ("roost:se%63ret@127.0.0.1:PORT/roost", "password authentication failed for user \"roost\"."),
        ("nobody:se%63ret@127.0.0.1:PORT/roost", "password authentication failed for user \"nobody\"."),
        ("roost:roost@127.0.0.1:PORT/se%63ret_plan", "database \"secret_plan\" does not exist."),
        ("roost@127.0.0.1:PORT/roost?passfile=/dev/null", "no password supplied."),
        ("roost:roost@127.0.0.1:PORT/roost?options=-cse%63ret%3D1", "parameter \"secret\"."),
        ("roost:roost@127.0.0.1:sec/roost", "invalid integer value for connection option \"port\". Correct it."),
        ("roost:roost@127.0.0.1:99999/roost", "cannot be used: invalid port number. Correct it."),
        ("roost:roost@127.0.0.1:PORT/roost?sslmode=se%63ret", "cannot be used: invalid sslmode value. Correct it."),
    ])
    func `a mistake that waiting cannot fix stops the start, each time anew`(rest: String, sentence: String)
        async throws
    {
        let port = "\(try await PostgresServer.shared().port)"
        let parts = rest.split(separator: "PORT", omittingEmptySubsequences: false)
        let url = "postgres://" + parts.joined(separator: port)
        let log = LogLines(.trace)
        try await Place.loop.run {
            let database = try database(url, log)
            let mistake = await #expect(throws: StartError.self) { try await database.start() }
            #expect(text(mistake).contains(sentence), "\(text(mistake))")
            // A driver that is used without a start, or is refused later, tries again.
            let late = try self.database(url, log)
            let error = await #expect(throws: DatabaseError.self) { try await late.ping() }
            #expect(text(error) == text(mistake))
            #expect(error?.isUnavailability == true)
            await late.stop()
        }
        #expect(log.all.contains { $0.contains("the next attempt is possible") })
        if rest.contains("se%63ret@") { #expect(!log.all.joined().contains("secret")) }
    }

    @Test func `a refusal counts, even if another host does not respond`() async throws {
        let server = try await PostgresServer.shared()
        let free = try FreePort.next()
        let log = LogLines(.trace)
        for hosts in ["127.0.0.1:\(free),127.0.0.1:\(server.port)", "127.0.0.1:\(server.port),127.0.0.1:\(free)"] {
            try await Place.loop.run {
                let database = try database("postgres://roost:wrong@\(hosts)/roost", log)
                await #expect(throws: StartError.self) { try await database.start() }
            }
        }
    }

    @Test func `a server that has no room is waited for`() async throws {
        let server = try await PostgresServer(["-c", "max_connections=1", "-c", "superuser_reserved_connections=0"])
        let url = server.url()
        let log = LogLines(.trace)
        try await Place.loop.run {
            let first = try database(url, LogLines(.trace))
            try await recovered(first)
            let second = try database(url, log)
            try await second.start()
            #expect(log.all.contains { $0.contains("too many clients") || $0.contains("remaining connection slots") })
            await first.stop()
            try await recovered(second)
            await second.stop()
        }
    }

    /// What the server gets no acknowledgement for, it would otherwise send again for a quarter of an hour.
    @Test func `the server gives up a machine that is gone after half a minute`() async throws {
        try await Place.loop.withDatabase { database async throws in
            // Tells what the system has for the connection, which is over TCP, in milliseconds.
            let time = try await database.first("SELECT current_setting('tcp_user_timeout')", as: String.self)
            #expect(time == "30000")
        }
    }

    @Test func `the server's notices go to the log`() async throws {
        let log = LogLines(.trace)
        try await Place.loop.withDatabase(logger: log.logger) { database async throws in
            try await database.execute("DO $$BEGIN RAISE WARNING 'mind the gap'; END$$")
        }
        #expect(log.all.contains("PostgreSQL says: WARNING:  mind the gap"))
    }
}
