import Glibc
import Logging
import Roost
public import RoostSQL

extension SQLiteDriver: SQLFileDriver {
    /// The path of the file; nil for a database in memory.
    public var path: String? { configuration.isInMemory ? nil : configuration.path }

    /// Whether there is no file at the path, and none that a restore was about to put there.
    public var isMissing: Bool {
        access(configuration.path, F_OK) != 0 && errno == ENOENT && !SQLiteRestore.wasInterrupted(configuration.path)
    }

    /// Returns another driver of the same file, which is not started.
    public func opening(for access: SQLFileAccess) -> any SQLFileDriver {
        var configuration = configuration
        configuration.access = access
        return SQLiteDriver(configuration, logger: logger)
    }

    /// Puts a backup in the place of the database, as ``SQLiteRestore`` does.
    public func restore(from backup: String) async throws -> String? {
        let restore = SQLiteRestore(of: backup, to: configuration.path)
        return try await offload { try restore.run() }
    }

    /// Reads the whole file and checks it: pages, indexes, constraints and foreign keys.
    /// - Returns: The faults, as at most 100 sentences; empty when there are none.
    public func check() async throws -> [String] {
        do {
            return try await maintain { try $0.faults() }
        } catch DatabaseError.corrupt(let text) {
            return [text]
        }
    }

    /// Copies the current state of the database into a new file, while others read and write.
    /// - Throws: ``DatabaseError/invalidValue(_:)`` when the file exists or cannot be created, another
    ///   ``DatabaseError`` when it cannot be written; no partial file is left in that case.
    public func backUp(to path: String) async throws {
        guard access(path, F_OK) != 0 else { throw DatabaseError.invalidValue("\(path) exists; name a new file.") }
        guard errno == ENOENT, access(PartialFile.folder(of: path), W_OK | X_OK) == 0 else {
            throw DatabaseError.invalidValue("\(path) cannot be created: \(String(cString: strerror(errno))).")
        }
        let partial = PartialFile(of: path)
        do {
            try await maintain { try $0.copy(to: partial) }
            try partial.publish()
        } catch {
            partial.remove()
            throw error
        }
    }

    /// Runs something long on its own thread.
    private func maintain<Value: Sendable>(
        _ work: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws -> Value {
        let lane = try lane()
        defer { lane.release() }
        return try await SQLiteWork(deadline: configuration.now() + .seconds(86_400), work).run(lane.queue.put)
    }
}
