import Processes
import RoostSQL
import RoostTesting
import Testing

@testable import RoostPostgres

@Suite(
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5))
)
struct NotificationTests {
    @Test(arguments: Place.allCases)
    func `notifications arrive, even after the connection was lost`(place: Place) async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        try await place.run {
            let driver = try PostgresDriver(url, configuration: .patient, logger: .silent)
            let database = Database(driver, configuration: .patient, logger: .silent)
            let events = driver.notifications(on: ["one", "odd \" name"]).makeAsyncIterator()
            #expect(try await events.next() == .listening)
            try await database.execute("SELECT pg_notify('one', \("naïve"))")
            try await database.execute("NOTIFY \"odd \"\" name\"")
            try await database.execute("NOTIFY other")
            try await database.execute("NOTIFY one")
            #expect(try await events.next() == .notification(channel: "one", payload: "naïve"))
            #expect(try await events.next() == .notification(channel: "odd \" name", payload: ""))
            #expect(try await events.next() == .notification(channel: "one", payload: ""))
            try await database.execute(
                """
                SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """
            )
            #expect(try await events.next() == .listening)
            try await database.execute("NOTIFY one, 'again'")
            #expect(try await events.next() == .notification(channel: "one", payload: "again"))
            await database.stop()
        }
    }

    @Test func `the log names the channels whose notifications are interrupted`() async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        let log = LogLines(.warning)
        try await Place.loop.run {
            let driver = try PostgresDriver(url, configuration: .patient, logger: log.logger)
            let database = Database(driver, configuration: .patient, logger: .silent)
            let events = driver.notifications(on: ["one", "two"]).makeAsyncIterator()
            #expect(try await events.next() == .listening)
            try await database.execute(
                """
                SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """
            )
            #expect(try await events.next() == .listening)
            await database.stop()
        }
        #expect(log.all.contains { $0.hasPrefix("Notifications on one, two are interrupted, and ") }, "\(log.all)")
    }

    /// A server may end the sessions that do nothing, and to listen is nothing to it.
    @Test func `a server's limit for idle sessions does not end them`() async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        try await Place.loop.run {
            let limited = "\(url)?options=-c%20idle_session_timeout%3D300ms"
            let events = try PostgresDriver(limited, configuration: .patient, logger: .silent)
                .notifications(on: ["one"]).makeAsyncIterator()
            #expect(try await events.next() == .listening)
            let driver = try PostgresDriver(url, configuration: .patient, logger: .silent)
            let database = Database(driver, configuration: .patient, logger: .silent)
            try await database.execute("SELECT pg_sleep(0.6)")
            try await database.execute("NOTIFY one")
            #expect(try await events.next() == .notification(channel: "one", payload: ""))
            await database.stop()
        }
    }

    @Test func `a channel's name cannot leave its quotes`() async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        try await Place.loop.run {
            let driver = try PostgresDriver(url, configuration: .patient, logger: .silent)
            let database = Database(driver, configuration: .patient, logger: .silent)
            let name = "a\"\u{301}; CREATE TABLE t (n int); --"
            let events = driver.notifications(on: [name]).makeAsyncIterator()
            #expect(try await events.next() == .listening)
            #expect(try await database.first("SELECT count(*) FROM pg_tables WHERE tablename = 't'", as: Int.self) == 0)
            try await database.execute("SELECT pg_notify(\(name), 'x')")
            #expect(try await events.next() == .notification(channel: name, payload: "x"))
            await #expect(throws: DatabaseError.invalidValue("An identifier contains a NUL character.")) {
                try await driver.notifications(on: ["a\0b"]).makeAsyncIterator().next()
            }
            await database.stop()
        }
    }

    @Test func `a cancelled task waits no longer`() async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        try await Place.loop.run {
            let driver = try PostgresDriver(url, configuration: .patient, logger: .silent)
            await #expect(throws: CancellationError.self) {
                try await withThrowingTaskGroup { group in
                    let started = Latch()
                    group.addTask {
                        for try await _ in driver.notifications(on: ["x"]) { started.open() }
                    }
                    await started.wait()
                    group.cancelAll()
                    try await group.waitForAll()
                }
            }
        }
    }
}
