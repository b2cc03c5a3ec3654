import Roost
internal import RoostSQL
import Synchronization

/// The threads for what holds a view of the data for long, such as a stream: each has a connection, and does one such
/// thing at a time. They are started when needed.
///
/// A database in memory has only the writer's connection, and so its thread does that, too.
final class StreamLanes: Sendable {
    private let file: SQLiteFile
    private let writer: JobQueue
    private let state = Mutex(State())

    private struct State {
        var free: [JobQueue] = []
        var all: [JobQueue] = []
        var isOpen = false
    }

    init(_ file: SQLiteFile, writer: JobQueue) {
        self.file = file
        self.writer = writer
    }

    func open() { state.withLock { $0.isOpen = true } }

    /// Ends the threads that have a stream, once that is over. Returns the queues of the others; the caller ends them.
    func close() -> [JobQueue] {
        let old = state.withLock { exchange(&$0, with: State()) }
        for queue in old.all where !old.free.contains(where: { $0 === queue }) { queue.abandon() }
        return old.free
    }

    /// The queue of a free thread, to be given back.
    func take() throws(DatabaseError) -> JobQueue {
        if file.configuration.isInMemory { return writer }
        return try state.withLock { state throws(DatabaseError) in
            guard state.isOpen else { throw .unavailable(DatabaseError.notOpen) }
            if let queue = state.free.popLast() { return queue }
            let maximum = file.configuration.maximumStreams
            guard state.all.count < maximum else { throw .unavailable("\(maximum) streams are open.") }
            let queue = JobQueue(limit: 16, now: file.configuration.now)
            queue.open()
            do throws(SystemError) {
                try JobThread.start(file, queue, writer: writer)
            } catch {
                throw .unavailable("\(error)")
            }
            state.all.append(queue)
            return queue
        }
    }

    /// Makes a thread available to another stream; once for each time that it was taken.
    func giveBack(_ queue: JobQueue) {
        state.withLock { state in
            if state.all.contains(where: { $0 === queue }) { state.free.append(queue) }
        }
    }
}
