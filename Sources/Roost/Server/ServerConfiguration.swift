internal import CLinux

/// Where the server listens, what it allows its clients, and how it ends.
///
/// Each property has an environment variable, in parentheses below; one that is not set or empty leaves the default.
/// The names follow one scheme: `MAX_…_SIZE` is in bytes, any other `MAX_…` is a number of things, `…_TIMEOUT` is in
/// whole seconds, as is `MAX_CONNECTION_AGE`. A value that is none ends the start with a sentence and exit code 78.
///
/// Time on connections is counted in ticks of one second, so a timeout may come up to a second late, and a
/// handler that is at work is ended by no other than ``handlerTimeout``.
public struct ServerConfiguration: Sendable {
    // MARK: Where

    /// The address to listen on (`HOST`): a name or an IP address. `0.0.0.0` and `::` mean all of this machine's.
    public var host = "127.0.0.1"
    /// The TCP port to listen on (`PORT`); 0 takes a free one.
    public var port = 3000
    /// How many event loops to run (`WORKERS`), each on a thread of its own; by default one for each core.
    public var workers = ServerConfiguration.cores
    /// Whether all event loops accept from one socket (`SHARED_LISTENER`, 0 or 1). By default each has its own with
    /// `SO_REUSEPORT`, and the kernel spreads connections over them by their addresses, which costs least; with one
    /// socket a loop that is busy leaves new connections to the others.
    public var hasSharedListener = false
    /// How many listening sockets the program has been started with (`LISTEN_FDS`, if `LISTEN_PID` is this process):
    /// socket activation as systemd does it (`sd_listen_fds(3)`), descriptors from 3 on.
    ///
    /// With any of them ``host`` and ``port`` are not used, and all event loops accept from every one. They outlive the
    /// server: what waits in their queues when it drains is for the next one, so a restart refuses nobody.
    public var inheritedSockets = 0

    // MARK: Size (RFC 9112 §3, RFC 6585 §5, RFC 9110 §15.5.14)

    /// The longest request line in bytes (`MAX_REQUEST_LINE_SIZE`); beyond it 414 (RFC 9112 §3).
    public var maximumRequestLineSize = 8 * 1024
    /// The most bytes that all field lines of a head may have together (`MAX_HEADER_SIZE`); beyond it 431 (RFC 6585
    /// §5).
    public var maximumHeaderSize = 32 * 1024
    /// The most field lines of a head (`MAX_HEADER_COUNT`); beyond it 431 (RFC 6585 §5).
    public var maximumHeaderCount = 100
    /// The largest body in bytes that a handler gets (`MAX_BODY_SIZE`), unless its route allows another size; beyond it
    /// 413 (RFC 9110 §15.5.14), before anything of it is read if its length is known.
    public var maximumBodySize = 1024 * 1024
    /// The largest submitted form in bytes (`MAX_FORM_SIZE`), unless its route allows another size; beyond it 413. What
    /// a person types is small, and often shown again when it is refused.
    public var maximumFormSize = 16 * 1024
    /// The most bytes that all clients together may have in memory (`MAX_BUFFERED_SIZE`): request bodies of more than
    /// 16 KiB that are collected for a handler, responses that their clients do not take, and heads of more than 4 KiB
    /// that have not ended. 0, the default, is a sixteenth of the memory that the process may use, at least 16 MiB.
    ///
    /// When little is left, those who want much are refused first: nobody may have more than is then left for others,
    /// so that one body or response can be half of this at most. A body is 503 with `Retry-After`, and so is a
    /// response of more than 64 KiB; a client that does not take a smaller one is cut off. What a handler makes of a
    /// body counts only when it is sent.
    public var maximumBufferedSize = 0
    /// The most clients that may be connected (`MAX_CONNECTIONS`). When one more comes, those are let go that have been
    /// idle for longest since an answer, but for at least a second; when none is idle, those that have kept the server
    /// waiting for longest, but for at least three seconds, with a request, a body (both get 408), with taking their
    /// response or with ending after it; as long as there is no such client either, it waits in the kernel's queue. 0,
    /// the default, is as many as there are file descriptors for; a larger number has no effect.
    ///
    /// Of the file descriptors that the process may have, an eighth, at least 32, is kept for databases and everything
    /// else. Of the rest a quarter is for files that are being sent, beyond which a file is 503 with `Retry-After`.
    /// The server raises the process's soft limit of file descriptors to the hard one, but not above 1,048,576.
    public var maximumConnections = 0

    // MARK: Time, in seconds (RFC 9110 §15.5.9, RFC 9112 §9.5)

    /// How long the head of a request may take (`HEAD_TIMEOUT`), from its first byte to its last; then 408 and close.
    ///
    /// Who sends nothing in this time after connecting gets a 408 too, as browsers do that connect ahead of need: it
    /// tells one whose request is just then on its way that it was not processed and may be repeated (RFC 9110
    /// §15.5.9), which browsers do by themselves.
    public var headTimeout = 10
    /// How long a body may make no progress (`BODY_TIMEOUT`); then 408 and close. Only the time counts in which the
    /// server waits for the client, not what the handler takes to ask for more.
    public var bodyTimeout = 30
    /// How many bytes of a body must come in each second in which the server waits for them (`MIN_BODY_RATE`). A client
    /// that is behind by what ``bodyTimeout`` seconds ask for gets 408 and close; what has come faster before does not
    /// count for it. 0 allows any rate. The default is that of Apache's `mod_reqtimeout`.
    public var minimumBodyRate = 500
    /// How long a connection may stay without a request after its last answer (`IDLE_TIMEOUT`); then it is closed.
    public var idleTimeout = 60
    /// How long a client may take nothing of what it is sent (`SEND_TIMEOUT`); then it is closed. Only the time counts
    /// in which there is something to take, not what a handler or an event stream needs to make it.
    public var sendTimeout = 30
    /// How many bytes a client must take in each second in which there is something for it to take (`MIN_SEND_RATE`).
    /// One that is behind by what ``sendTimeout`` seconds ask for is closed. 0 allows any rate.
    public var minimumSendRate = 500
    /// How long a client may be silent that the network cannot reach (`UNREACHABLE_TIMEOUT`), because it was switched
    /// off or its cable was cut, until its connection is gone; nil (`none`) leaves that to the system, which takes
    /// hours.
    ///
    /// It is what sends are acknowledged in (`TCP_USER_TIMEOUT`), and where there is nothing to send, as in an event
    /// stream or while a handler works, what probes are answered in, of which the first goes out at half of it
    /// (`SO_KEEPALIVE`; RFC 9293 §3.8.4).
    public var unreachableTimeout: Int? = 60
    /// How long a handler may take until its response begins (`HANDLER_TIMEOUT`); then it is cancelled, and the client
    /// gets 503 and close whether or not it ends. The time in which it waits for the body to come does not count, and a
    /// response that has begun, such as an event stream, has all time. nil (`none`), the default, is no limit.
    public var handlerTimeout: Int?
    /// The age of a connection from which on the next response closes it (`MAX_CONNECTION_AGE`): where clients keep
    /// theirs for ever, what was started since would get none of them, and an address that moved would not be noticed.
    /// nil (`none`) is no limit. The default, an hour, is nginx's.
    public var maximumConnectionAge: Int? = 3600
    /// How many requests a connection may send until it is closed with the last response (`MAX_CONNECTION_REQUESTS`).
    /// nil (`none`), the default, is no limit: servers that limit them so give memory back, of which a connection
    /// here keeps none, and busy clients would connect again and again.
    public var maximumRequestsPerConnection: Int?
    /// How long what a client still sends is read and dropped after a last answer (`LINGER_TIMEOUT`), counted from its
    /// last byte and up to six times as long together, so that it can read why it was refused (RFC 9112 §9.6).
    public var lingerTimeout = 5
    /// How long requests may take to finish after SIGTERM (`DRAIN_TIMEOUT`); then their connections are cut off.
    public var drainTimeout = 30

    // MARK: Blocking work

    /// How many threads run what is given to ``offload(_:)`` (`OFFLOAD_THREADS`); by default one for each core, at
    /// least 4.
    public var offloadThreads = max(4, ServerConfiguration.cores)
    /// How much work may wait for one of these threads (`MAX_OFFLOAD_QUEUE`); beyond it 503.
    public var maximumOffloadQueue = 256
    /// How many milliseconds an event loop may be busy without looking at its sockets before that is logged as an error
    /// (`BLOCKED_LOOP_MS`); 0 never logs.
    public var blockedLoopThreshold = 100

    /// The defaults.
    public init() {}

    /// How many cores this process may use, which in a container can be fewer than the machine has.
    private static var cores: Int {
        var mask = [UInt64](repeating: 0, count: 16)
        guard sched_getaffinity(0, mask.count * 8, &mask) == 0 else { return 1 }
        return max(1, mask.reduce(0) { $0 + $1.nonzeroBitCount })
    }
}

extension ServerConfiguration {
    /// Threads for blocking work, none of them started yet.
    var blockingPool: BlockingPool { BlockingPool(threads: offloadThreads, queue: maximumOffloadQueue) }

    /// What clients may have in memory.
    var memoryBudget: MemoryBudget {
        MemoryBudget(maximumBufferedSize > 0 ? maximumBufferedSize : max(16 << 20, UsableMemory.size / 16))
    }

    /// The part that a connection needs.
    var connectionLimits: ConnectionLimits {
        var limits = ConnectionLimits()
        limits.parser.requestLine = maximumRequestLineSize
        limits.parser.fields = maximumHeaderSize
        limits.parser.fieldCount = maximumHeaderCount
        limits.headTimeout = headTimeout
        limits.handlerTimeout = handlerTimeout
        limits.maximumAge = maximumConnectionAge
        limits.maximumRequests = maximumRequestsPerConnection
        limits.body = MinimumRate(bytes: minimumBodyRate, window: bodyTimeout)
        limits.output = MinimumRate(bytes: minimumSendRate, window: sendTimeout)
        limits.idleTimeout = idleTimeout
        limits.lingerTimeout = lingerTimeout
        return limits
    }
}
