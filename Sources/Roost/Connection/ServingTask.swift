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
                connection.letGo(of: task)
            }
            guard !Task.isCancelled, tasks.keep(self) else { return }
            await withUnsafeContinuation { waiting = $0 }
        } while true
    }
}
