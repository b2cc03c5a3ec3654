/// The tasks of one loop that serve what takes waiting, and the requests of this turn that wait for one.
///
/// The requests of a turn are served together, when all have been read: so one task serves many, one after the other,
/// and the code that reads requests and the code that handles them take turns less often. Used on the loop's thread
/// only.
final class ServingTasks: TurnObserver {
    /// The maximum number of tasks that wait for work. Beyond that, a task ends when its work is done.
    static let limit = 16
    /// The maximum number of requests that are served together.
    static let mostRequests = 16

    private let loop: EventLoop
    @exclusivity(unchecked) private var idle: [ServingTask] = []
    /// The connections to be served; work on the first `begun` of them has been begun.
    @exclusivity(unchecked) private var queue: [(connection: Connection, pending: Connection.Pending?)] = []
    @exclusivity(unchecked) private var begun = 0
    private var isServing = false
    /// Whether the loop is told that they must end with it, or has ended them.
    private var state = State.new

    private enum State { case new, ready, ended }

    init(on loop: EventLoop) { self.loop = loop }

    /// The number of tasks that wait for work.
    var count: Int { idle.count }

    /// Serves in this turn, in a task that waits for work or in a new one.
    func add(_ pending: consuming Connection.Pending, of connection: Connection) {
        if queue.isEmpty { loop.afterTurn(self) }
        queue.append((connection, pending))
        if queue.count >= Self.mostRequests { serve() }
    }

    func turnEnded() { serve() }

    private func serve() {
        guard !isServing else { return }
        isServing = true
        while begun < queue.count {
            let task = idle.popLast() ?? ServingTask(of: self)
            task.work(on: loop)
            task.connection?.servingSuspended(in: task)
        }
        queue.removeAll(keepingCapacity: true)
        begun = 0
        isServing = false
    }

    /// The next request to serve. A task that goes on later, when what it has waited for has come, gets none.
    func next() -> (connection: Connection, pending: Connection.Pending)? {
        while isServing, begun < queue.count {
            begun += 1
            let connection = queue[begun - 1].connection
            guard let pending = queue[begun - 1].pending.take() else { continue }
            loop.activity.work()
            if connection.state.phase != .closed { return (connection, pending) }
            connection.group.metrics?.abandon()
        }
        return nil
    }

    /// Keeps a task that has done its work; false if it has to end.
    func keep(_ task: ServingTask) -> Bool {
        guard idle.count < Self.limit, state != .ended else { return false }
        if state == .new {
            state = .ready
            loop.beforeEnd { [weak self] in self?.end() }
        }
        idle.append(task)
        return true
    }

    private func end() {
        state = .ended
        let tasks = idle
        idle = []
        for task in tasks { task.work(on: loop) }
    }
}

/// A task that serves what takes waiting, for one connection after the other.
///
/// A new task for each request would cost its creation, and the memory for the variables of all functions that wait: a
/// task keeps that memory from one request to the next. One that has been cancelled is not used again.
///
/// Used on the loop's thread only.
final class ServingTask {
    /// Its handle, from the moment at which it first waits.
    private(set) var task: Task<Void, Never>?
    /// The connection that it serves; nil while it waits for work.
    @exclusivity(unchecked) private(set) var connection: Connection?
    private let tasks: ServingTasks
    /// While it waits for work.
    @exclusivity(unchecked) private var waiting: UnsafeContinuation<Void, Never>?

    init(of tasks: ServingTasks) { self.tasks = tasks }

    /// Serves what there is to serve, and returns when that waits or is done. Without work, it ends.
    func work(on loop: EventLoop) {
        if let continuation = waiting.take() { return loop.resumeNow(continuation) }
        let me = LoopBound(lending: self, of: loop)
        // Nothing of the task that happens to run now, such as its task-local values, is for later requests.
        task = Task.immediateDetached(executorPreference: loop) { await me.value.run() }
    }

    private func run() async {
        repeat {
            while !Task.isCancelled, let (connection, pending) = tasks.next() {
                self.connection = connection
                await connection.serve(consume pending)
                self.connection = nil
                connection.detach(from: task)
            }
            guard !Task.isCancelled, tasks.keep(self) else { return }
            await withUnsafeContinuation { waiting = $0 }
        } while true
    }
}
