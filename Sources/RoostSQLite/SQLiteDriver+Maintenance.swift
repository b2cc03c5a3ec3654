import Glibc
import RoostSQL

extension SQLiteDriver {
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
