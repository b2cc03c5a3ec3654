import Roost
internal import RoostSQL
import Synchronization

/// The connections with which event loops read, one for each loop.
final class LoopReaders: Sendable {
    private let file: SQLiteFile
    private let queue: JobQueue
    /// A list, because there are few.
    private let readers = Mutex<[(loop: ObjectIdentifier, reader: LoopReader)]>([])
    private let isOn: Bool

    /// The maximum number of loops that have a connection of their own.
    private static let maximumCount = 256

    /// - Parameter queue: The queue of the threads that open connections.
    init(_ file: SQLiteFile, _ queue: JobQueue) {
        self.file = file
        self.queue = queue
        isOn = !file.configuration.isInMemory && file.configuration.maximumLoopSteps > 0 && CachedReads.isPossible
    }

    /// Runs a query on the event loop that the caller is on, if there is one, and if it can be done in place.
    /// - Returns: Whether it was run; if not, a thread must run it.
    func run(_ statement: SQLStatement, _ each: (any SQLRow) throws -> Bool) throws -> Bool {
        guard isOn, let reader, !Task.isCancelled else { return false }
        if try reader.run(statement.sql, each) { return true }
        if reader.needsOpening() { openSoon(reader) }
        return false
    }

    private var reader: LoopReader? {
        guard let loop = EventLoop.current else { return nil }
        return readers.withLock { readers in
            let id = ObjectIdentifier(loop)
            for known in readers where known.loop == id { return known.reader }
            guard readers.count < Self.maximumCount else { return nil }
            let reader = LoopReader(file)
            readers.append((id, reader))
            return reader
        }
    }

    private func openSoon(_ reader: LoopReader) {
        let job = SQLiteWork(deadline: file.configuration.now() + .seconds(60)) { _ in reader.open() }
        job.becomeQueued()
        _ = queue.put(job)
    }

    /// Closes all connections; loops that read again get new ones.
    func close() {
        for reader in readers.withLock({ exchange(&$0, with: []) }) { reader.reader.close() }
    }
}
