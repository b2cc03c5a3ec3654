/// The tasks of one loop that wait for work. Used on the loop's thread only.
final class ServingTasks {
    /// How many may wait. Beyond that, a task ends when its work is done.
    static let limit = 16

    private let loop: EventLoop
    @exclusivity(unchecked) private var idle: [ServingTask] = []
    /// Whether the loop is told that they must end with it, or has ended them.
    private var state = State.new

    private enum State { case new, ready, ended }

    init(on loop: EventLoop) { self.loop = loop }

    /// How many wait for work.
    var count: Int { idle.count }

    /// Serves in a task that waits for work, or in a new one. Returns when that waits for something or is done.
    func serve(_ pending: consuming Connection.Pending, of connection: Connection) -> ServingTask {
        let task = idle.popLast() ?? ServingTask(of: self)
        task.serve(pending, of: connection, on: loop)
        return task
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
        for task in tasks { task.wake(on: loop) }
    }
}
