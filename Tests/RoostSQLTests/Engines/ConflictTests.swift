import Engines
import RoostSQL
import Testing

/// Conflicts and locks that are spelled once for all engines.
@Suite("Conflicts and locks", .timeLimit(.minutes(5)))
struct ConflictTests {
    private static func error(_ database: Database, _ sql: SQL) async throws -> DatabaseError? {
        await #expect(throws: DatabaseError.self, "\(sql.text)") { try await database.execute(sql) }
    }

    @Test(arguments: Engine.allCases)
    func `a value that must be unique is found by its columns`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            try await database.execute(
                "CREATE TABLE seats (room TEXT, number INT, \"heldBy\" TEXT, UNIQUE (room, number))")
            try await database.execute("CREATE UNIQUE INDEX one_seat ON seats (\"heldBy\")")
            try await database.execute("CREATE UNIQUE INDEX lower_holder ON seats (lower(\"heldBy\"))")
            try await database.execute("INSERT INTO seats VALUES (')=(', 1, 'Ann')")
            let pair = try await Self.error(database, "INSERT INTO seats VALUES (')=(', 1, NULL)")
            #expect(pair == .uniqueViolation("seats.room, seats.number"))
            #expect(pair?.isConflict(on: "seats.number", "seats.room") == true)
            #expect(pair?.isConflict(on: "seats.room") == false)
            #expect(pair?.isConflict(on: "users.name") == false)
            let lower = try await Self.error(database, "INSERT INTO seats VALUES ('a', 2, 'ANN')")
            #expect(lower?.isConflict(on: "lower_holder") == true)
            let id = try await Self.error(database, "INSERT INTO users (id, name) VALUES (1, 'x')")
            #expect(id?.isConflict(on: "users.id") == true)
            try await database.execute("DROP INDEX lower_holder")
            let quoted = try await Self.error(database, "INSERT INTO seats VALUES ('a', 2, 'Ann')")
            #expect(quoted?.isConflict(on: "seats.heldBy") == true)
            let missing = try await Self.error(database, "INSERT INTO users (name) VALUES (NULL)")
            #expect(missing?.isConflict(on: "users.name") == false)
        }
    }

    @Test(arguments: Engine.allCases)
    func `rows that exclude each other are found by a name`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            try await database.execute("CREATE TABLE bookings (room INT, starts INT, ends INT)")
            if engine == .sqlite {
                try await database.execute(
                    """
                    CREATE TRIGGER bookings_overlap BEFORE INSERT ON bookings
                    WHEN EXISTS (SELECT 1 FROM bookings WHERE starts < NEW.ends AND ends > NEW.starts)
                    BEGIN SELECT RAISE(ABORT, 'bookings_overlap'); END
                    """)
            } else {
                try await database.execute(
                    """
                    ALTER TABLE bookings ADD CONSTRAINT bookings_overlap EXCLUDE USING gist (
                        int4range(starts, ends) WITH &&)
                    """)
            }
            try await database.execute("INSERT INTO bookings VALUES (1, 10, 12)")
            try await database.execute("INSERT INTO bookings VALUES (1, 12, 13)")
            let error = try await Self.error(database, "INSERT INTO bookings VALUES (1, 11, 12)")
            #expect(error == .exclusionViolation("bookings_overlap"))
            #expect(error?.isConflict(on: "bookings_overlap") == true)
            #expect(error?.isUnavailability == false)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a restricted row is a foreign key violation`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            try await database.execute(
                "CREATE TABLE pets (owner INT CONSTRAINT owned REFERENCES users (id) ON DELETE RESTRICT)")
            try await database.execute("INSERT INTO pets VALUES (1)")
            let error = try await Self.error(database, "DELETE FROM users WHERE id = 1")
            guard case .foreignKeyViolation = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a locked row is counted up by one transaction after the other`(engine: Engine) async throws {
        try await engine.run(instances: 2) { (databases) async throws in
            try await databases[0].execute("CREATE TABLE seats (id INT, free INT)")
            try await databases[0].execute("INSERT INTO seats VALUES (1, 20)")
            try await withThrowingTaskGroup { group in
                for number in 0..<20 {
                    let database = databases[number % 2]
                    group.addTask {
                        try await database.transaction { transaction in
                            let free = try await transaction.first(
                                "SELECT free FROM seats WHERE id = 1 \(transaction.forUpdate)", as: Int.self)
                            try await transaction.execute("UPDATE seats SET free = \((free ?? 0) - 1) WHERE id = 1")
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await databases[0].first("SELECT free FROM seats", as: Int.self) == 0)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a stream is read by a generic iterator`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let names = databases[0].stream("SELECT name FROM users ORDER BY id", as: String.self)
            var found: [String] = []
            for try await name in Numbered(rows: names) { found.append(name) }
            #expect(found == ["1. Nelson", "2. Cathy"])
        }
    }
}

/// A sequence over any rows, as an application may write it.
private struct Numbered<Rows: AsyncSequence & Sendable>: AsyncSequence, Sendable where Rows.Element == String {
    let rows: Rows

    func makeAsyncIterator() -> Iterator { Iterator(rows: rows.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        var rows: Rows.AsyncIterator
        var count = 0

        mutating func next(isolation actor: isolated (any Actor)?) async throws(Rows.Failure) -> String? {
            guard let row = try await rows.next(isolation: actor) else { return nil }
            count += 1
            return "\(count). \(row)"
        }
    }
}
