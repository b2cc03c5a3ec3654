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
        var threads: [ObjectIdentifier: LoopThread] = [:]
        var isOpen = false
    }

    init(_ file: SQLiteFile, writer: JobQueue) {
        self.file = file
        self.writer = writer
    }

    func open() { state.withLock { $0.isOpen = true } }

    /// Ends the threads once their streams are finished. The caller can wait for those that are returned, which have no
    /// stream, until they have closed the file.
    func close() -> [LoopThread] {
        let old = state.withLock { state in
            defer { state = State() }
            return state
        }
        for queue in old.all { queue.close() }
        let free = Set(old.free.map(ObjectIdentifier.init))
        for (queue, thread) in old.threads where !free.contains(queue) { thread.detach() }
        return old.threads.filter { free.contains($0.key) }.map(\.value)
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
                state.threads[ObjectIdentifier(queue)] = try Reader.start(file, queue, writer: queue)
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
