import FoundationEssentials
import Roost
import RoostJobs
import RoostSQL
import RoostSQLite
import RoostTesting
import Synchronization
import Testing

// The programs of docs/jobs.md, letter for letter.

struct SendReminder: Job {
    var booking: Int

    func run(_ context: JobContext) async throws {
        let sql: SQL = "SELECT guest FROM bookings WHERE id = \(booking)"
        guard let guest = try await context.database.first(sql, as: String.self) else {
            throw JobFailure.discard("The booking is gone.")
        }
        try await context.service((any Mailer).self).send("See you tomorrow!", to: guest)
    }
}

struct Cleanup: Job {
    func run(_ context: JobContext) async throws {
        let day = Date().addingTimeInterval(-90 * 86_400)
        try await context.database.execute("DELETE FROM bookings WHERE day < \(day)")
    }
}

func makeHotel(_ database: Database, _ mailer: any Mailer) throws -> Application {
    let migrator = Migrator(database, [Migration("bookings", sql: bookings)] + Jobs.migrations)
    let jobs = Jobs(
        database, [SendReminder.self, Cleanup.self], queues: ["default": 10, "mail": 4],
        schedules: [JobSchedule("30 3 * * *", Cleanup())], services: [mailer])
    return try Application(services: [database, migrator, jobs]) { routes in
        routes.post(Path("/bookings")) { request -> Response in
            let guest = try request.decode(Guest.self).guest
            try await database.transaction { transaction in
                let sql: SQL = "INSERT INTO bookings (guest, day) VALUES (\(guest), \(Date())) RETURNING id"
                guard let id = try await transaction.first(sql, as: Int.self) else { return }
                try await jobs.add(SendReminder(booking: id), after: .hours(24), in: transaction)
            }
            return Response(.created)
        }
    }
}

struct SyncAccount: Job {
    var account: Int
    var unique: JobKey? { JobKey("\(account)", for: .minutes(10)) }

    func run(_ context: JobContext) async throws {}
}

func makeCached(_ cache: Cache) throws -> Application {
    let cleanup = Periodic("cache", every: .minutes(10)) { cache.removeExpired() }
    return try Application(services: [cleanup]) { _ in }
}

/// Keeps the newest of the prices that come in, as the documentation of `Service` shows it.
actor PriceFeed: Service {
    private let prices: AsyncStream<Int>
    private(set) var newest: Int?
    private var work: Task<Void, Never>?

    init(_ prices: AsyncStream<Int>) { self.prices = prices }

    func start() {
        work = Task { for await price in prices { newest = price } }
    }

    func stop() async {
        work?.cancel()
        await work?.value
    }
}

let bookings = "CREATE TABLE bookings (id INTEGER PRIMARY KEY, guest TEXT NOT NULL, day TEXT NOT NULL)"

struct Guest: Codable { let guest: String }

protocol Mailer: Sendable {
    func send(_ text: String, to address: String) async throws
}

final class Outbox: Mailer {
    private let mails = Mutex<[String]>([])
    var sent: [String] { mails.withLock { $0 } }
    func send(_ text: String, to address: String) async throws { mails.withLock { $0.append("\(address): \(text)") } }
}

final class Cache: Sendable {
    func removeExpired() {}
}

@Suite("The page about jobs", .quietLog, .timeLimit(.minutes(5)))
struct JobsPageTests {
    @Test func `its programs are compiled`() throws {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        // The one that sends a mail is compiled beside RoostMail.
        let source =
            try String(contentsOfFile: #filePath, encoding: .utf8)
            + String(contentsOfFile: root + "/Tests/RoostMailTests/JobMailTests.swift", encoding: .utf8)
        let page = try String(contentsOfFile: root + "/docs/jobs.md", encoding: .utf8)
        let blocks = page.split(separator: "```swift\n").dropFirst().compactMap { $0.split(separator: "```").first }
        #expect(blocks.count == 6)
        for block in blocks {
            let indented = block.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
            #expect(source.contains(block) || source.contains(indented), "\(block)")
        }
    }

    @Test func `a guest is reminded a day later`() async throws {
        let (clock, mailer) = (TestClock(), Outbox())
        let database = Database(SQLiteDriver(SQLiteConfiguration(path: ":memory:")))
        let client = TestClient(try withClock(clock) { try makeHotel(database, mailer) })
        #expect(try await client.post("/bookings", json: Guest(guest: "ada@example.org")).status == .created)
        #expect(try await client.runJobs() == 0)
        clock.advance(by: .hours(24))
        try await client.runJobs()
        #expect(mailer.sent == ["ada@example.org: See you tomorrow!"])
    }

    @Test func `the site of a cache is made`() throws { _ = try makeCached(Cache()) }

    @Test func `a service of its own works while the application serves`() async throws {
        let (prices, continuation) = AsyncStream.makeStream(of: Int.self)
        let feed = PriceFeed(prices)
        let client = TestClient(
            try Application(services: [feed]) { routes in
                routes.get(Path("/")) { _ in "\(await feed.newest ?? 0)" }
            })
        continuation.yield(3)
        while try await client.get("/").text != "3" {}
        try await client.stop()
    }
}
