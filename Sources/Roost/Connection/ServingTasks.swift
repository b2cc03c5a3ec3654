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
    /// Those to be served; work on the first `begun` of them has been begun.
    @exclusivity(unchecked) private var queue: [(owner: any Exchanging, pending: Connection.Pending?)] = []
    @exclusivity(unchecked) private var begun = 0
    private var isServing = false
    /// Whether the loop is told that they must end with it, or has ended them.
    private var state = State.new

    private enum State { case new, ready, ended }

    init(on loop: EventLoop) { self.loop = loop }

    /// The number of tasks that wait for work.
    var count: Int { idle.count }

    /// Serves in this turn, in a task that waits for work or in a new one.
    func add(_ pending: consuming Connection.Pending, of owner: any Exchanging) {
        if queue.isEmpty { loop.afterTurn(self) }
        queue.append((owner, pending))
        // As at the end of the turn: they are many.
        if queue.count >= Self.mostRequests { turnEnded() }
    }

    /// Serves those that have gathered: at the end of the turn, or as soon as they are many.
    func turnEnded() {
        guard !isServing else { return }
        isServing = true
        while begun < queue.count {
            let task = idle.popLast() ?? ServingTask(of: self)
            task.work(on: loop)
            task.current?.servingSuspended(in: task)
        }
        queue.removeAll(keepingCapacity: true)
        begun = 0
        isServing = false
    }

    /// The next request to serve. A task that goes on later, when what it has waited for has come, gets none.
    func next() -> (owner: any Exchanging, pending: Connection.Pending)? {
        while isServing, begun < queue.count {
            begun += 1
            let owner = queue[begun - 1].owner
            guard let pending = queue[begun - 1].pending.take() else { continue }
            loop.activity.work()
            if !owner.hasGone { return (owner, pending) }
            // Anything else than a request has been answered.
            if case .answer = pending { owner.group.metrics?.abandon() }
        }
        return nil
    }

    /// Keeps a task that has done its work; false if it has to end.
    func keep(_ task: ServingTask) -> Bool {
        guard idle.count < Self.limit, state != .ended else { return false }
        if state == .new {
            state = .ready
            loop.beforeEnd(for: self) { [weak self] in self?.end() }
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

/// One that a task serves: a connection with one exchange at a time, or an exchange of several at a time.
protocol Exchanging: AnyObject {
    var group: ConnectionGroup { get }
    /// The client's address, which a trusted proxy may have told; nil for one without an IP address.
    var client: IPAddress? { get }
    /// The notes on its request.
    var notes: RequestNotes { get }
    /// The task that serves it, once that has been suspended.
    var task: Task<Void, Never>? { get }
    var isHandlerRunning: Bool { get set }
    /// Whether the watchdog has been told of a handler that was suspended, and not yet of its end.
    var watchdogKnowsHandler: Bool { get set }
    /// Whether its client has gone.
    var hasGone: Bool { get }
    /// Does what takes waiting.
    func serve(_ first: consuming Connection.Pending) async
    /// Its task goes on in a job.
    func servingSuspended(in serving: ServingTask)
    /// Its task may now serve another one.
    func detach(from served: Task<Void, Never>?)
}

extension Exchanging {
    /// The client for a log: its IP address, or `local`.
    var clientHost: String { client?.description ?? "local" }

    /// The request's name in logs when its target is not at hand: its client's host, its method and its route.
    func requestName(_ method: KnownMethod) -> String {
        "\(clientHost) \(method.method?.rawValue ?? "?") \(notes.route?.text ?? "request")"
    }

    /// Logs that a handler has taken too long, and notes it for the line of its request.
    func noteGivenUp(_ method: KnownMethod) {
        notes.change(notes.number) { $0.isGivenUp = true }
        group.logger.error("\(LogText.escaped(requestName(method))): its handler took too long and was cancelled.")
    }
}

extension Exchanging {
    /// The response to send when a handler that may have been suspended has returned or failed; nil if none is wanted
    /// any more. An unexpected error is logged in any case.
    /// - Parameters:
    ///   - isWanted: Whether the client still waits for it: it may have gone, or have been told that the handler took
    ///     too long.
    ///   - isAbandoned: Whether the client has gone without any response.
    func response(
        from result: consuming Result<Response, any Error>, isWanted: Bool, isAbandoned: Bool
    ) -> Response? {
        handlerHasEnded()
        if isAbandoned { group.metrics?.abandon() }
        let response: Response
        switch consume result {
        case .success(let value): response = value
        case .failure(let error): response = group.failureResponse(error)
        }
        return isWanted ? response : nil
    }
}

/// The watchdog: so that a handler that blocks the loop is logged with its route. On the spot, the route is noted as
/// soon as the router has found it.
extension Exchanging {
    /// A handler is about to run; in a job of its own if the task has been suspended before.
    func handlerBegins() {
        isHandlerRunning = true
        if task != nil { handlerSuspended() }
        group.loop.activity.begin(notes.route)
    }

    /// Tells the watchdog that a handler goes on in a job, since a job does not tell whom it is for. After the handler
    /// has ended, its response may wait, too; that is not told.
    func handlerSuspended() {
        guard isHandlerRunning else { return }
        watchdogKnowsHandler = true
        group.loop.activity.suspend(notes.route, of: self)
    }

    /// A handler that may have been suspended has returned.
    func handlerHasEnded() {
        isHandlerRunning = false
        group.loop.activity.handlerEnded()
        guard watchdogKnowsHandler else { return }
        watchdogKnowsHandler = false
        group.loop.activity.endSuspended(self)
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
    /// The one that it serves; nil while it waits for work.
    @exclusivity(unchecked) private(set) var current: (any Exchanging)?
    private let tasks: ServingTasks
    /// While it waits for work.
    @exclusivity(unchecked) private var waiting: UnsafeContinuation<Void, Never>?

    init(of tasks: ServingTasks) { self.tasks = tasks }

    /// Serves what there is to serve, and returns when that waits or is done.
    func work(on loop: EventLoop) {
        if let continuation = waiting.take() { return loop.resumeNow(continuation) }
        let me = LoopBound(lending: self, of: loop)
        // Nothing of the task that happens to run now, such as its task-local values, is for later requests.
        task = Task.immediateDetached(executorPreference: loop) { await me.value.run() }
    }

    private func run() async {
        repeat {
            while !Task.isCancelled, let (owner, pending) = tasks.next() {
                current = owner
                await owner.serve(consume pending)
                current = nil
                owner.detach(from: task)
            }
            guard !Task.isCancelled, tasks.keep(self) else { return }
            await withUnsafeContinuation { waiting = $0 }
        } while true
    }
}
