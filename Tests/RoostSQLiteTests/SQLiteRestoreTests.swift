import Glibc
import Roost
import RoostSQL
import Synchronization
import Testing

@testable import RoostSQLite

/// A backup takes the place of a database.
@Suite("Restores of SQLite", .timeLimit(.minutes(5)))
struct SQLiteRestoreTests {
    /// Runs a test with a folder as a crash leaves it: a database of 300 users, 298 of them only in its log, and
    /// `backup.sqlite`, which has the two others.
    private static func withCrashedDatabase(_ body: (Scratch) async throws -> Void) async throws {
        let crashed = try Scratch()
        defer { crashed.remove() }
        try await Scratch.run { (database, scratch) async throws in
            try await (database.driver as? SQLiteDriver)?.backUp(to: crashed.folder + "/backup.sqlite")
            for number in 3...300 { try await database.execute("INSERT INTO users (name) VALUES (\("\(number)"))") }
            for suffix in ["", "-wal", "-shm"] {
                try SQLiteFaultTests.write(SQLiteFaultTests.bytes(scratch.path + suffix), to: crashed.path + suffix)
            }
        }
        try await body(crashed)
    }

    /// The number of users, after a look at the whole file.
    private static func count(_ scratch: Scratch) async throws -> Int? {
        let database = scratch.database({ $0.access = .writing })
        try await database.start()
        let count = try await database.first("SELECT count(*) FROM users", as: Int.self)
        #expect(try await (database.driver as? SQLiteDriver)?.check() == [])
        await database.stop()
        return count
    }

    private static func restore(_ scratch: Scratch, _ name: String = "backup.sqlite") throws -> String? {
        try SQLiteRestore(of: scratch.folder + "/" + name, to: scratch.path).run()
    }

    @Test func `after a crash, nothing of after the backup comes back, and the old database is whole`() async throws {
        try await Self.withCrashedDatabase { scratch async throws in
            let backup = try SQLiteFaultTests.bytes(scratch.folder + "/backup.sqlite")
            let old = try #require(try Self.restore(scratch))
            #expect(try await Self.count(scratch) == 2)
            #expect(try SQLiteFaultTests.bytes(scratch.folder + "/backup.sqlite") == backup)
            // The one of before can be restored in turn, with what was only in its log.
            let next = try #require(try SQLiteRestore(of: old, to: scratch.path).run())
            #expect(next != old)
            #expect(try await Self.count(scratch) == 300)
            let suffixes = ["", "-wal"]
            let kept = suffixes.map { old + $0 } + [next, scratch.path, scratch.folder + "/backup.sqlite"]
            let all = scratch.names.filter { $0 != "." && $0 != ".." && !$0.hasSuffix("-shm") }
            #expect(Set(all.map { scratch.folder + "/" + $0 }) == Set(kept))
        }
    }

    @Test func `it is refused while somebody uses the database`() async throws {
        try await Scratch.run { (database, scratch) async throws in
            let path = scratch.folder + "/backup.sqlite"
            try await (database.driver as? SQLiteDriver)?.backUp(to: path)
            #expect(throws: DatabaseError.self) { try Self.restore(scratch) }
            try await database.execute("INSERT INTO users (name) VALUES ('Ada')")
            await database.stop()
            #expect(try await Self.count(scratch) == 3)
            #expect(try Self.restore(scratch) != nil)
            #expect(try await Self.count(scratch) == 2)
        }
    }

    @Test func `a backup that is none, damaged, empty or the database itself changes nothing`() async throws {
        try await Self.withCrashedDatabase { scratch async throws in
            var damaged = try SQLiteFaultTests.bytes(scratch.folder + "/backup.sqlite")
            for index in 4096..<4196 { damaged[index] = 0xA5 }
            try SQLiteFaultTests.write(damaged, to: scratch.folder + "/damaged")
            try SQLiteFaultTests.write(String(repeating: "no database ", count: 1000), to: scratch.folder + "/text")
            try SQLiteFaultTests.write("", to: scratch.folder + "/empty")
            let names = scratch.names.sorted()
            for name in ["damaged", "text", "empty", "missing", ".", "test.sqlite"] {
                let error = #expect(throws: DatabaseError.self) { try Self.restore(scratch, name) }
                let text = error?.description ?? ""
                #expect(text.contains("/\(name) cannot be used: "), "\(text)")
                #expect(text.hasSuffix(" The database is as it was."), "\(text)")
            }
            #expect(scratch.names.sorted() == names)
            #expect(try await Self.count(scratch) == 300)
        }
    }

    @Test func `a backup that has none of the program's migrations changes nothing`() async throws {
        try await Self.withCrashedDatabase { scratch async throws in
            let names = scratch.names.sorted()
            let restore = SQLiteRestore(of: scratch.folder + "/backup.sqlite", to: scratch.path)
            let error = #expect(throws: DatabaseError.self) { try restore.run(for: ["users", "pets"]) }
            let text = error?.description ?? ""
            #expect(text.contains("it has none of this program's migrations"), "\(text)")
            #expect(text.hasSuffix(" The database is as it was."), "\(text)")
            #expect(scratch.names.sorted() == names)
            #expect(try await Self.count(scratch) == 300)
        }
    }

    @Test func `migrations of a backup that the program does not know are named`() async throws {
        try await Scratch.run { (database, scratch) async throws in
            let migrations = ["pets", "toys"].map { Migration($0, sql: "CREATE TABLE \($0) (id INT)") }
            try await Migrator(database, migrations).run()
            let path = scratch.folder + "/backup.sqlite"
            try await (database.driver as? SQLiteDriver)?.backUp(to: path)
            await database.stop()
            let restore = SQLiteRestore(of: path, to: scratch.path)
            #expect(try restore.run(for: ["users", "pets"]).unknown == ["toys"])
            #expect(try restore.run(for: ["toys", "pets"]).unknown == [])
            #expect(try restore.run(for: []).unknown == [])
        }
    }

    @Test func `a backup without a name is refused as such`() async throws {
        try await Scratch.run { (database, _) async throws in
            let driver = try #require(database.driver as? SQLiteDriver)
            let error = DatabaseError.invalidValue("The path of the backup is empty; name a file.")
            await #expect(throws: error) { try await driver.backUp(to: "") }
        }
    }

    @Test func `what a killed backup or restore has left is removed by the next one of the same file`() async throws {
        try await Self.withCrashedDatabase { scratch async throws in
            let left = ["roost-1-2.partial", "roost-1-2.partial-journal"]
            // The first is being written to.
            let kept = [
                "roost-3-4.partial", "2026-11-30.partial", "1-2.partial", "partial", "old.roost-1-2.partial",
                "roost-1-2.partial.old", "roost-1-x.partial",
            ]
            let copy = scratch.folder + "/copy.sqlite"
            for path in [copy, scratch.path] {
                for suffix in left + kept {
                    try SQLiteFaultTests.write("half", to: "\(path).\(suffix)")
                    if suffix == kept[0] { continue }
                    let old = timespec(tv_sec: time(nil) - PartialFile.longestPause - 2, tv_nsec: 0)
                    #expect(utimensat(AT_FDCWD, "\(path).\(suffix)", [old, old], 0) == 0)
                }
            }
            _ = try Self.restore(scratch)
            let database = scratch.database({ $0.access = .writing })
            try await database.start()
            try await (database.driver as? SQLiteDriver)?.backUp(to: copy)
            await database.stop()
            for path in [copy, scratch.path] {
                #expect(left.filter { access("\(path).\($0)", F_OK) == 0 } == [])
                #expect(kept.filter { access("\(path).\($0)", F_OK) != 0 } == [])
            }
        }
    }

    @Test func `a backup whose last transaction has not ended is refused`() async throws {
        try await Self.withCrashedDatabase { scratch async throws in
            let backup = scratch.folder + "/backup.sqlite"
            // The first bytes of a journal that is to be undone (https://sqlite.org/fileformat.html, 3).
            try SQLiteFaultTests.write([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7], to: backup + "-journal")
            let names = scratch.names.sorted()
            let error = #expect(throws: DatabaseError.self) { try Self.restore(scratch) }
            #expect(error?.description.contains("/backup.sqlite cannot be used: it was not closed") == true)
            #expect(scratch.names.sorted() == names)
            #expect(try await Self.count(scratch) == 300)
            // What some programs leave after each transaction.
            try SQLiteFaultTests.write([UInt8](repeating: 0, count: 512), to: backup + "-journal")
            _ = try Self.restore(scratch)
            #expect(try await Self.count(scratch) == 2)
        }
    }

    @Test func `a database that is damaged, or not there yet, can be restored`() async throws {
        try await Self.withCrashedDatabase { scratch async throws in
            try SQLiteFaultTests.write(String(repeating: "no database ", count: 1000), to: scratch.path)
            _ = try Self.restore(scratch)
            #expect(try await Self.count(scratch) == 2)
            for suffix in ["", "-wal", "-shm"] { unlink(scratch.path + suffix) }
            #expect(try Self.restore(scratch) == nil)
            #expect(try await Self.count(scratch) == 2)
        }
    }

    @Test func `the database has the permissions of the old one, also behind a symbolic link`() async throws {
        try await Self.withCrashedDatabase { scratch async throws in
            chmod(scratch.path, 0o640)
            let link = scratch.folder + "/link"
            symlink("test.sqlite", link)
            _ = try SQLiteRestore(of: scratch.folder + "/backup.sqlite", to: link).run()
            var status = stat()
            #expect(stat(scratch.path, &status) == 0 && status.st_mode & 0o777 == 0o640)
            #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
            #expect(try await Self.count(scratch) == 2)
        }
    }

    @Test func `one that was interrupted stops the start until it is done again`() async throws {
        try await Self.withCrashedDatabase { scratch async throws in
            // The old database is gone already, and the new one has not got its name yet.
            let old = scratch.path + ".before-20261127T120000Z"
            for part in ["-wal", ""] { rename(scratch.path + part, old + part) }
            try SQLiteFaultTests.write(
                SQLiteFaultTests.bytes(scratch.folder + "/backup.sqlite"), to: scratch.path + ".restoring")
            let database = scratch.database()
            let error = await #expect(throws: StartError.self) { try await database.start() }
            #expect(error?.description.contains("was interrupted: run the command restore again") == true)
            #expect(access(scratch.path, F_OK) != 0)
            #expect(try Self.restore(scratch) == old)
            #expect(try await Self.count(scratch) == 2)
        }
    }

    @Test func `a log that somebody has left is no other database's`() async throws {
        try await Self.withCrashedDatabase { scratch async throws in
            let left = scratch.path + ".before-20261127T120000Z-wal"
            rename(scratch.path + "-wal", left)
            let old = try #require(try Self.restore(scratch))
            #expect(old + "-wal" != left && access(old, F_OK) == 0)
        }
    }

    @Test func `one that was interrupted between the files keeps the old database and its log together`() async throws {
        try await Self.withCrashedDatabase { scratch async throws in
            let old = scratch.path + ".before-20261127T120000Z"
            rename(scratch.path + "-wal", old + "-wal")
            try SQLiteFaultTests.write(
                SQLiteFaultTests.bytes(scratch.folder + "/backup.sqlite"), to: scratch.path + ".restoring")
            #expect(try Self.restore(scratch) == old)
            #expect(try await Self.count(scratch) == 2)
            _ = try SQLiteRestore(of: old, to: scratch.path).run()
            #expect(try await Self.count(scratch) == 300)
        }
    }

    @Test(arguments: [false, true])
    func `a connection that waits while a restore runs does not use the old file`(writes: Bool) async throws {
        try await Self.withCrashedDatabase { scratch async throws in
            let use = Mutex<SoleUse?>(try SoleUse(of: scratch.path))
            var configuration = SQLiteConfiguration(path: scratch.path)
            // The clock is read whenever the connection has found the file locked.
            configuration.now = {
                let isFirst = use.withLock { use in
                    defer { use = nil }
                    return use != nil
                }
                if isFirst { #expect(throws: Never.self) { _ = try Self.restore(scratch) } }
                return .now
            }
            let limits = StatementLimits(configuration)
            limits.job = SQLiteWork(deadline: .now + .seconds(3600)) { _ in }
            let error = #expect(throws: DatabaseError.self) {
                let file = SQLiteFile(configuration)
                _ = try SQLiteConnection(file, writes ? .writer : .reader, creates: writes, limits)
            }
            #expect(error?.description.contains("the file was replaced while it was opened") == true)
            // Nothing of the old one comes to the new one.
            #expect(["-wal", "-shm"].allSatisfy { access(scratch.path + $0, F_OK) != 0 })
            #expect(try await Self.count(scratch) == 2)
        }
    }

    @Test func `as long as a restore is not finished, no connection is opened`() async throws {
        try await Scratch.run { (database, scratch) async throws in
            try SQLiteFaultTests.write("", to: scratch.path + ".restoring")
            let count = { try await database.first("SELECT count(*) FROM users", as: Int.self) }
            await #expect(throws: DatabaseError.self) { try await count() }
            unlink(scratch.path + ".restoring")
            #expect(try await count() == 2)
        }
    }
}
