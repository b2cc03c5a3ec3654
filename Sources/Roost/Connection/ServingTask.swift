/// A task that serves what takes waiting, for one connection after the other.
///
/// A new task for each request would cost its creation, and the memory for the variables of all functions that wait: a
/// task keeps that memory from one request to the next. One that has been cancelled is not used again.
///
/// Used on the loop's thread only.
final class ServingTask {
    /// Its handle, from the moment at which it first waits.
    private(set) var task: Task<Void, Never>?
    private let tasks: ServingTasks
    @exclusivity(unchecked) private var work: Connection.Pending?
    @exclusivity(unchecked) private var connection: Connection?
    /// While it waits for work.
    @exclusivity(unchecked) private var waiting: UnsafeContinuation<Void, Never>?

    init(of tasks: ServingTasks) { self.tasks = tasks }

    /// Begins to serve, and returns when that waits or is done.
    func serve(_ pending: consuming Connection.Pending, of connection: Connection, on loop: EventLoop) {
        work = pending
        self.connection = connection
        if waiting != nil { return wake(on: loop) }
        let me = LoopBound(lending: self, of: loop)
        // Nothing of the task that happens to run now, such as its task-local values, is for later requests.
        task = Task.immediateDetached(executorPreference: loop) { await me.value.run() }
    }

    /// Goes on after a wait for work; without work, it ends.
    func wake(on loop: EventLoop) {
        if let continuation = waiting.take() { loop.resumeNow(continuation) }
    }

    private func run() async {
        repeat {
            if let pending = work.take(), let connection = connection.take() {
                await connection.serve(pending)
                connection.letGo(of: task)
            }
            guard !Task.isCancelled, tasks.keep(self) else { return }
            await withUnsafeContinuation { waiting = $0 }
        } while work != nil
    }
}
