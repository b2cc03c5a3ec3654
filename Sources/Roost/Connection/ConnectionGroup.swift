import Glibc
import Logging

/// The connections of an event loop to the ports of one site, or to the admin port, and what they share: the buffers,
/// the date, the clock.
///
/// Used on the loop's thread only. Time is counted in ticks of one second, so that no request asks the system for it: a
/// tick refreshes the date and closes every connection that has missed a deadline.
package final class ConnectionGroup {
    package let loop: EventLoop
    /// Asks the outermost responder of the application.
    let respondWithoutWaiting: (inout Request) throws -> ImmediateResponse
    package let limits: ConnectionLimits
    /// Speaks HTTP/2 to the clients that begin with it; nil where nothing does.
    let http2: (any ProtocolUpgrade)?
    /// The memory that clients may use, together with those of the server's other loops.
    let memory: MemoryBudget
    /// The limits on the streams and WebSockets that clients may keep open, shared with the server's other loops.
    let budgets: ClientBudgets
    /// The proxies that are believed about the clients behind them.
    let proxies: TrustedProxies
    package let logger: Logger
    /// The loop's metrics; nil where none are measured.
    let metrics: LoopMetrics?
    /// Seconds since the group began.
    @exclusivity(unchecked) package private(set) var now = 0
    /// Whether seconds pass by themselves: a part of the present one is then over already.
    var hasRunningClock = false
    /// The value of `Date` in responses.
    @exclusivity(unchecked) private(set) var date = HTTPDate()
    /// Anything that the other protocols' sessions of this loop share, such as compressors.
    var sharedBySessions: AnyObject?
    /// The tasks in which requests are handled that take waiting.
    let servingTasks: ServingTasks
    /// The look at each connection once a second.
    private let round: ConnectionRound
    /// The connections that have had their share, and go on after the events.
    let turns: TurnQueue
    /// The output of all connections in this turn, gathered so that it is sent together.
    let output = TurnOutput()
    /// Whether no further request is wanted: each response closes its connection.
    @exclusivity(unchecked) package private(set) var isDraining = false
    /// The time in seconds, once it drains, in which a connection that has just been busy may get another request.
    private(set) var patience = 0

    /// Random at the start, so that the numbers of loops and processes differ.
    @exclusivity(unchecked) private var requestNumber = UInt64.random(in: 0...(.max))
    private var refusals = RefusalLog()

    @exclusivity(unchecked) private var readBuffer = MessageBytes(capacity: ConnectionGroup.readSize)
    private(set) var connections: [ObjectIdentifier: Connection] = [:]
    /// The function that is called when a connection has closed its socket.
    var onClose: () -> Void = {}
    private var whenEmpty: (() -> Void)?

    /// The maximum number of bytes that are read at once.
    static let readSize = 16 * 1024

    init(
        loop: EventLoop,
        responder: any Responder,
        limits: ConnectionLimits,
        memory: MemoryBudget = MemoryBudget(.max),
        budgets: ClientBudgets = ClientBudgets(),
        proxies: TrustedProxies = .none,
        logger: Logger,
        metrics: LoopMetrics? = nil,
        http2: (any ProtocolUpgrade)? = nil
    ) {
        self.loop = loop
        servingTasks = ServingTasks(on: loop)
        turns = TurnQueue(on: loop)
        round = ConnectionRound(on: loop)
        respondWithoutWaiting = { try responder.respondWithoutWaiting(to: &$0) }
        self.limits = limits
        self.memory = memory
        self.budgets = budgets
        self.proxies = proxies
        self.logger = logger
        self.metrics = metrics
        self.http2 = http2
        date.update(to: time(nil))
    }

    /// The number of ticks after which a handler has had its time, and never less, unless it waits for its client
    /// meanwhile; nil without a limit.
    var handlerTicks: Int? {
        // A connection counts them from now, in 32 bits.
        limits.handlerTimeout.map { min(hasRunningClock && $0 < .max ? $0 + 1 : $0, Int(Int32.max)) }
    }

    /// The number of connected clients.
    package var count: Int { connections.count }
    /// The number of clients that have not taken everything they were sent.
    package var unsentCount: Int { connections.values.count { $0.unsent != nil || $0.state.wait == .output } }

    /// Serves an accepted socket, which is non-blocking and now belongs to its connection.
    /// - Parameter transport: The transport that its bytes pass through; nil if they go as they are.
    package func add(_ socket: Int32, from peer: PeerAddress, through transport: (any Transport)? = nil) {
        let connection = Connection(socket, from: peer, through: transport, in: self)
        add(connection)
        metrics?.connected()
        connection.start()
    }

    /// Looks after a connection until it has closed its socket.
    func add(_ connection: Connection) { connections[ObjectIdentifier(connection)] = connection }

    /// Lets go of a connection that has closed its socket.
    func remove(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = nil
        if connection.socket.isOfSystem { onClose() }
        if connections.isEmpty { tellEmpty() }
    }

    /// Memory to read into: the loop's own, unless a request still holds on to what is in it.
    func takeReadBuffer() -> MessageBytes {
        if !isKnownUniquelyReferenced(&readBuffer) { readBuffer = MessageBytes(capacity: Self.readSize) }
        readBuffer.count = 0
        return readBuffer
    }

    /// Whether a connection reads into the loop's own memory.
    func owns(_ buffer: MessageBytes) -> Bool { buffer === readBuffer }

    /// A number that no other request of this process has.
    @inline(__always)
    func nextRequestNumber() -> UInt64 {
        requestNumber &+= 1
        return requestNumber
    }

    /// Whether another refused message may be logged in this second.
    func mayLogRefusal() -> Bool { refusals.admit() }

    /// Logs an error that no middleware has turned into a response: at level info if a client has caused it, otherwise
    /// as an error.
    /// - Parameter request: The name of the request in the log, if it is known.
    func report(_ error: any Error, in request: String? = nil) {
        if error.endsCancelledTask { return }
        let isOfClient = (error as? HTTPError)?.status.kind == .clientError
        let prefix = request.map { $0 + ": " } ?? ""
        logger.log(level: isOfClient ? .info : .error, "\(LogText.escaped(prefix + "\(error)"))")
    }

    /// A second has passed; `seconds` is the time since 1970. Memory that a large response needed is given back.
    func tick(_ seconds: Int) {
        now += 1
        date.update(to: seconds)
        output.send()
        output.trim()
        metrics?.tick(connections.values.reduce(into: [:]) { $0[$1.countedState, default: 0] += 1 })
        let withheld = refusals.takeWithheld()
        if withheld > 0 { logger.notice("\(withheld) more refused messages were not logged.") }
        round.begin(connections.values)
    }

    /// Begins to drain: from now on each response ends its connection, and an endless stream ends.
    func beginDrain(patience: Int) {
        self.patience = patience
        isDraining = true
        output.send()
        for connection in connections.values { connection.serverEnds() }
    }

    /// Closes idle connections, lets the others finish their responses, and calls back when none is left.
    /// - Parameter patience: The time in seconds for which a connection that has just been busy does not count as idle.
    func drain(patience: Int, _ whenEmpty: @escaping () -> Void) {
        beginDrain(patience: patience)
        self.whenEmpty = whenEmpty
        for connection in connections.values { connection.closeIfIdle(patience: patience) }
        if connections.isEmpty { tellEmpty() }
    }

    /// Cuts off every connection, and returns how many there were; used when draining has taken too long.
    func closeAll() -> Int {
        output.send()
        let cut = connections.values.count { $0.socket.isOfSystem }
        for connection in connections.values { connection.close() }
        return cut
    }

    private func tellEmpty() {
        whenEmpty?()
        whenEmpty = nil
    }
}

extension Connection {
    /// The connection's state, as the metrics count it.
    fileprivate var countedState: LoopMetrics.State {
        switch state.phase {
        case .receiving: input.isEmpty ? .idle : .receiving
        case .serving: .handling
        case .upgraded:
            switch session?.work ?? .lasting {
            case .requests: .handling
            case .none: .idle
            case .lasting: .websocket
            }
        case .lingering, .closed: .closing
        }
    }
}

/// The count of refused messages that a loop has logged in this second, and its limit: a log that grows with every
/// malformed byte would be another way to fill a disk.
struct RefusalLog {
    private var logged = 0
    private var withheld = 0

    /// The most in one second.
    static let limit = 10

    /// Whether one more may be logged.
    mutating func admit() -> Bool {
        if logged < Self.limit {
            logged += 1
            return true
        }
        withheld += 1
        return false
    }

    /// A second has passed; returns how many were not logged in it.
    mutating func takeWithheld() -> Int {
        defer { self = RefusalLog() }
        return withheld
    }
}

/// A look at all connections of a loop, once a second: some in each turn, so that thousands keep nobody waiting.
///
/// Used on the loop's thread only.
final class ConnectionRound {
    /// The maximum number of connections that are looked at in one turn.
    static let size = 256

    private let loop: EventLoop
    private var connections: [Connection] = []
    private var next = 0

    init(on loop: EventLoop) { self.loop = loop }

    /// Begins, if the latest one is over.
    func begin(_ all: some Collection<Connection>) {
        guard connections.isEmpty else { return }
        connections = Array(all)
        goOn()
    }

    private func goOn() {
        let end = min(next + Self.size, connections.count)
        for connection in connections[next..<end] { connection.secondHasPassed() }
        next = end
        if next < connections.count { return loop.afterEvents { [self] in goOn() } }
        connections = []
        next = 0
    }
}
