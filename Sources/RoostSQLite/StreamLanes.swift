import Roost
internal import RoostSQL
import Synchronization

/// A thread and a connection for one stream at a time. An open statement keeps a view of the data, which other readers
/// must not share.
struct StreamLane: Sendable {
    let queue: JobQueue
    private let giveBack: @Sendable (JobQueue) -> Void

    init(_ queue: JobQueue, giveBack: @escaping @Sendable (JobQueue) -> Void) {
        self.queue = queue
        self.giveBack = giveBack
    }

    /// Makes it available to another stream; call it once.
    func release() { giveBack(queue) }
}

/// The lanes, which are started when needed.
final class StreamLanes: Sendable {
    private let file: SQLiteFile
    private let maximum: Int
    private let state = Mutex(State())

    private struct State {
        var free: [JobQueue] = []
        var all: [JobQueue] = []
        var threads: [ObjectIdentifier: LoopThread] = [:]
        var isOpen = false
    }

    init(_ file: SQLiteFile, maximum: Int) {
        self.file = file
        self.maximum = maximum
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

    func take() throws(DatabaseError) -> StreamLane {
        let (queue, isNew) = try state.withLock { state throws(DatabaseError) in
            guard state.isOpen else { throw .unavailable(DatabaseError.notOpen) }
            if let queue = state.free.popLast() { return (queue, false) }
            guard state.all.count < maximum else { throw .unavailable("\(maximum) streams are open.") }
            let queue = JobQueue(limit: 16, now: file.configuration.now)
            state.all.append(queue)
            return (queue, true)
        }
        if isNew { try start(queue) }
        return StreamLane(queue) { queue in self.giveBack(queue) }
    }

    private func start(_ queue: JobQueue) throws(DatabaseError) {
        queue.open()
        do throws(SystemError) {
            let thread = try Reader.start(file, queue, writer: queue)
            let isKept = state.withLock { state in
                guard state.all.contains(where: { $0 === queue }) else { return false }
                state.threads[ObjectIdentifier(queue)] = thread
                return true
            }
            if !isKept { thread.detach() }
        } catch {
            state.withLock { state in state.all.removeAll { $0 === queue } }
            throw .unavailable("\(error)")
        }
    }

    private func giveBack(_ queue: JobQueue) {
        state.withLock { state in
            if state.all.contains(where: { $0 === queue }) { state.free.append(queue) }
        }
    }
}
