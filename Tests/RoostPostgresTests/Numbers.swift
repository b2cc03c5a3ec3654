import Roost
import RoostSQL
import RoostTesting
import Testing

@testable import RoostPostgres

/// A table of numbers, and tasks that read it in one turn of a loop.
enum Numbers {
    /// A database with a table of the numbers from 0 to 99.
    static func withTable(
        _ configuration: PostgresConfiguration = PostgresConfiguration(),
        options: String = "",
        _ body: @escaping @Sendable (Database) async throws -> Void
    ) async throws {
        try await Place.loop.withDatabase(configuration, options: options) { database async throws in
            try await database.execute("CREATE TABLE t (n int PRIMARY KEY, text text NOT NULL)")
            try await database.execute("INSERT INTO t SELECT n, n::text FROM generate_series(0, 99) AS n")
            try await body(database)
        }
    }

    /// Runs something for each number in one turn of the loop; returns what came of it, in order.
    static func all<Value: Sendable>(
        _ numbers: Range<Int>, _ body: @escaping @Sendable (Int) async throws -> Value
    ) async -> [Result<Value, any Error>] {
        await withTaskGroup(of: (Int, Result<Value, any Error>).self) { group in
            for number in numbers {
                group.addTask {
                    do { return (number, .success(try await body(number))) } catch { return (number, .failure(error)) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Has all connections prepare the statement that most tests of shared ones use.
    static func warm(_ database: Database) async {
        _ = await all(0..<100) { try await database.first("SELECT n FROM t WHERE n = \($0)", as: Int.self) }
    }

    /// Has tasks of this loop read again and again while something is done.
    static func whileReading(
        _ readers: Int, _ read: @escaping @Sendable (Int) async throws -> Void, _ body: () async throws -> Void
    ) async throws {
        let isOver = Latch()
        try await withThrowingTaskGroup { group in
            for number in 0..<readers {
                group.addTask {
                    while !isOver.isOpen { try await read(number) }
                }
            }
            try await body()
            isOver.open()
            try await group.waitForAll()
        }
    }

    /// Holds a lock of a table, for which every read of it waits, while something is done.
    static func whileLocked(
        _ table: String, of database: Database, _ body: () async throws -> Void
    ) async throws {
        let holder = try await OtherTransaction(database)
        try await holder.execute("LOCK TABLE \(identifier: table) IN ACCESS EXCLUSIVE MODE")
        do { try await body() } catch { Issue.record(error) }
        await holder.end()
    }

    /// A task on this loop, where unstructured tasks do not stay by themselves, or on another one.
    static func task<Value: Sendable>(
        on loop: EventLoop? = .current, _ body: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error> {
        Task(executorPreference: loop) { try await body() }
    }
}
