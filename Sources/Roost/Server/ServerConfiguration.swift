/// The configuration of a server: its addresses, what it allows its clients, and how it ends.
///
/// Each property has an environment variable, in parentheses below; one that is not set or is empty leaves the default.
/// The names follow one scheme: `MAX_…_SIZE` is in bytes, any other `MAX_…` is a number of things, `…_TIMEOUT` is in
/// whole seconds, as are `MAX_CONNECTION_AGE` and `EVENT_HEARTBEAT`. With an invalid value the program does not start,
/// but ends with a message and exit code 78. `.env.example` has all variables with their defaults.
///
/// Time on connections is counted in ticks of one second. A part of a second counts as a whole one, and a timeout may
/// come up to a second early. Only ``handlerTimeout`` ends a running handler, and comes up to a second late instead.
public struct ServerConfiguration: Sendable {
    // MARK: Addresses

    /// The address to listen on (`HOST`): a name or an IP address, or `unix:` and the absolute path of a Unix socket,
    /// such as `unix:/run/roost/site.sock`. `0.0.0.0` and `::` mean all addresses of this machine.
    ///
    /// A Unix socket is for a proxy on this machine, which ``trustedProxies`` calls `local`. A file that a crash has
    /// left there is replaced; if a program listens there, the start fails. The server removes the file when it
    /// begins to drain.
    public var host = "127.0.0.1"
    /// The TCP port to listen on (`PORT`); 0 takes a free one. A Unix socket has none.
    public var port = 3000
    /// The permissions of a Unix socket (`SOCKET_MODE`, an octal number): anybody who may write to it may connect. The
    /// default, 660, admits its owner and its group, which is the folder's if the folder has the `setgid` bit.
    public var socketMode = 0o660
    /// The number of event loops (`WORKERS`), each on a thread of its own; by default, one for each processor that the
    /// process may use: as many as its affinity names, or fewer if its control group has a quota (`cgroups(7)`).
    public var workers = UsableProcessors.count
    /// Whether all event loops accept from one socket (`SHARED_LISTENER`, 0 or 1). By default each has its own with
    /// `SO_REUSEPORT`, and the kernel spreads connections over them by their addresses, which costs least. With one
    /// socket, a busy loop leaves new connections to the others.
    public var hasSharedListener = false
    /// The number of listening sockets that the program was started with (`LISTEN_FDS`, if `LISTEN_PID` is this
    /// process): socket activation as systemd does it (`sd_listen_fds(3)`), with descriptors from 3 on.
    ///
    /// If there are any, ``host`` and ``port`` are not used, and all event loops accept from every one. Those with the
    /// port for TLS speak TLS. They outlive the server: connections in their queues when it drains are left for the
    /// next server, so a restart refuses nobody.
    public var inheritedSockets = 0

    /// The TCP port of `/metrics` (`ADMIN_PORT`): a second, small listener, for Prometheus; 0 takes a free port. nil
    /// (`none`), the default, means that nothing listens and, without another back end of swift-metrics, that nothing
    /// is measured.
    public var adminPort: Int?
    /// The address to listen on for ``adminPort`` (`ADMIN_HOST`). Anybody who can reach it may read everything there.
    public var adminHost = "127.0.0.1"

    /// The proxies in front of the server (`TRUSTED_PROXIES`: networks such as `10.0.0.0/8`, separated by commas,
    /// `loopback`, or `local` for a Unix socket): only they may say who the client is, whether it uses HTTPS, and which
    /// host it has asked for (RFC 7239). By default nobody may.
    public var trustedProxies = TrustedProxies.none

    // MARK: Size (RFC 9112 §3, RFC 6585 §5, RFC 9110 §15.5.14)

    /// The longest request line in bytes (`MAX_REQUEST_LINE_SIZE`); a longer one gets 414 (RFC 9112 §3).
    public var maximumRequestLineSize = HeadLimits().requestLine
    /// The most bytes that all field lines of a head may have together (`MAX_HEADER_SIZE`); more get 431 (RFC 6585 §5).
    public var maximumHeaderSize = HeadLimits().fields
    /// The most field lines of a head (`MAX_HEADER_COUNT`); more get 431 (RFC 6585 §5).
    public var maximumHeaderCount = HeadLimits().fieldCount
    /// The largest body in bytes that a handler gets (`MAX_BODY_SIZE`), unless its route allows another size. A larger
    /// one gets 413 (RFC 9110 §15.5.14); if its length is known, before any of it is read.
    public var maximumBodySize = 1024 * 1024
    /// The largest submitted form in bytes (`MAX_FORM_SIZE`), unless its route allows another size; a larger one gets
    /// 413. What a person types is small, and is often shown again when it is refused. A form with files
    /// (`multipart/form-data`) is bounded by ``maximumBodySize`` instead.
    public var maximumFormSize = 16 * 1024
    /// The most bytes that all clients together may have in memory (`MAX_BUFFERED_SIZE`): request bodies of more than
    /// 16 KiB that are collected for a handler, responses that their clients do not take, and incomplete heads of more
    /// than 4 KiB, and as much of further requests that come before their turn. nil (`auto`), the default, means a
    /// sixteenth of the memory that the process may use, at least 16 MiB.
    ///
    /// One client may have at most as much as is left for all others, so clients that want a lot are refused first. A
    /// body that does not fit gets 503 with `Retry-After`, and so does a response of more than 64 KiB; a client that
    /// does not take a smaller one is cut off. What a handler makes from a body counts only when it is sent.
    ///
    /// So one body or response can be half of this at most, whatever its route allows: a larger body gets 413, and a
    /// larger response is replaced by a 500, which is logged.
    public var maximumBufferedSize: Int?
    /// The most clients that may be connected (`MAX_CONNECTIONS`). When one more comes, the connections that have been
    /// idle longest since a response are closed, if that is at least a second. If none is idle, those are closed for
    /// which the server has waited longest, if that is at least three seconds: for a request or a body, or for the
    /// client to take a response that is no file, or to close after it. While there is no such connection either, the
    /// new one waits in the kernel's queue. nil (`auto`), the default, means as many as there are file descriptors for;
    /// a larger number has no effect.
    ///
    /// Of the file descriptors that the process may have, eight for each processor, but at most a quarter, are kept for
    /// event loops; of those that remain, an eighth, at least 32, for databases and everything else. Of the rest, a
    /// quarter is for files that are being sent; when these are used up, a file gets 503 with `Retry-After`. The server
    /// raises the process's soft limit of file descriptors to the hard one, but not above 1,048,576.
    public var maximumConnections: Int?

    // MARK: Time (RFC 9110 §15.5.9, RFC 9112 §9.5)

    /// The maximum time for the head of a request (`HEAD_TIMEOUT`), from its first byte to its last; after that, the
    /// client gets 408 and the connection is closed.
    ///
    /// A client that sends nothing for this time after connecting gets a 408 too. Browsers do so when they connect
    /// ahead of need. If such a browser has just sent a request, the 408 tells it that the request was not processed
    /// and may be repeated (RFC 9110 §15.5.9), which browsers do by themselves.
    public var headTimeout = Duration.seconds(10)
    /// The maximum time for which a body may make no progress (`BODY_TIMEOUT`); then 408 and close. Only the time in
    /// which the server waits for the client counts, not the time that the handler takes before it asks for more.
    public var bodyTimeout = Duration.seconds(30)
    /// The minimum rate of a body in bytes per second (`MIN_BODY_RATE`), over the time in which the server waits for
    /// it. A client that falls short by as many bytes as are due in ``bodyTimeout`` gets 408 and close; earlier bytes
    /// that came faster do not make up for it. 0 allows any rate. The default is that of Apache's `mod_reqtimeout`.
    public var minimumBodyRate = 500
    /// The maximum time from a response to the connection's next request (`IDLE_TIMEOUT`); then it is closed.
    public var idleTimeout = Duration.seconds(60)
    /// The maximum time for which a client may take nothing of what it is sent (`SEND_TIMEOUT`); then it is closed.
    /// Only the time in which there is something to take counts, not the time that a handler or an event stream needs
    /// to make it. ``unreachableTimeout`` closes no connection sooner.
    public var sendTimeout = Duration.seconds(30)
    /// The minimum rate at which a client must take what it is sent, in bytes per second (`MIN_SEND_RATE`), over the
    /// time in which there is something to take. A client that falls short by as many bytes as are due in
    /// ``sendTimeout`` is closed. 0 allows any rate.
    public var minimumSendRate = 500
    /// The maximum silence of a client that the network cannot reach (`UNREACHABLE_TIMEOUT`), because it was switched
    /// off or its cable was cut, before its connection is closed. ``sendTimeout`` counts instead where it is longer.
    /// nil (`none`) leaves it to the system, which takes hours.
    ///
    /// Data that is sent must be acknowledged in this time (`TCP_USER_TIMEOUT`), and the kernel treats a client that
    /// acknowledges but does not read in the same way. When there is nothing to send, as in an event stream or while a
    /// handler works, probes must be answered in it; the first is sent after half of it (`SO_KEEPALIVE`; RFC 9293
    /// §3.8.4).
    public var unreachableTimeout: Duration? = .seconds(60)
    /// The maximum time from the start of a handler until its response begins (`HANDLER_TIMEOUT`). Then it is
    /// cancelled, the client gets 503, and the connection is closed, whether or not the handler ends. Time spent
    /// waiting for the body does not count, and a response that has begun, such as an event stream, has no limit. nil
    /// (`none`), the default, means no limit.
    public var handlerTimeout: Duration?
    /// The age at which a connection is closed with its next response (`MAX_CONNECTION_AGE`). If clients kept theirs
    /// for ever, a newly started server would get none of them, and a changed address would not be noticed. nil
    /// (`none`) means no limit. The default, an hour, is nginx's.
    public var maximumConnectionAge: Duration? = .seconds(3600)
    /// The maximum number of requests on a connection (`MAX_CONNECTION_REQUESTS`), which is closed with the last
    /// response. nil (`none`), the default, means no limit: other servers limit requests to free a connection's memory,
    /// but here a connection keeps none, and busy clients would reconnect again and again.
    public var maximumRequestsPerConnection: Int?
    /// The time after a last response in which what a client still sends is read and dropped, so that the client can
    /// read why it was refused (`LINGER_TIMEOUT`; RFC 9112 §9.6). It is counted from the client's last byte, and is at
    /// most six times as long in total.
    public var lingerTimeout = Duration.seconds(5)
    /// The time after SIGTERM in which the server goes on as before (`DRAIN_DELAY`), except that `/health/ready`
    /// responds 503, so that a load balancer notices and sends new requests elsewhere. By default, zero.
    public var drainDelay = Duration.zero
    /// The maximum time for requests to finish after SIGTERM (`DRAIN_TIMEOUT`); then their connections are cut off.
    public var drainTimeout = Duration.seconds(30)

    // MARK: Event streams (WHATWG HTML, Server-sent events)

    /// The maximum silence of an event stream until it sends a comment (`EVENT_HEARTBEAT`), so that proxies keep the
    /// connection, and a client that has vanished is noticed.
    public var eventHeartbeat = Duration.seconds(15)
    /// The most event streams that may be open (`MAX_EVENT_STREAMS`); one more gets 503 with `Retry-After`. Together
    /// with WebSockets they never take more than seven eighths of the connections that are possible
    /// (``maximumConnections``).
    public var maximumEventStreams = 10_000
    /// The most event streams that may be open from one address (`MAX_EVENT_STREAMS_PER_ADDRESS`); one more gets 503
    /// with `Retry-After`. For IPv6, a whole /64 network counts as one address, and a site's /48 network as four.
    /// Behind a proxy that is not trusted (``trustedProxies``), all clients have the proxy's address.
    public var maximumEventStreamsPerAddress = 1000

    // MARK: WebSockets (RFC 6455)

    /// The most WebSockets that may be open (`MAX_WEBSOCKETS`); one more gets 503 with `Retry-After`. Together with
    /// event streams they never take more than seven eighths of the connections that are possible
    /// (``maximumConnections``).
    public var maximumWebSockets = 10_000
    /// The most WebSockets that may be open from one address (`MAX_WEBSOCKETS_PER_ADDRESS`), counted as for
    /// ``maximumEventStreamsPerAddress``; one more gets 503 with `Retry-After`. Behind a proxy, all clients have the
    /// proxy's address: let the proxy count them, and set this to ``maximumWebSockets``.
    public var maximumWebSocketsPerAddress = 1000

    // MARK: Blocking work

    /// The number of threads that run the work given to ``offload(_:)`` (`OFFLOAD_THREADS`); by default, one for each
    /// processor that the process may use, at least 4.
    public var offloadThreads = max(4, UsableProcessors.count)
    /// The maximum number of calls that wait for one of these threads (`MAX_OFFLOAD_QUEUE`); one more gets 503.
    public var maximumOffloadQueue = 256
    /// The time for which an event loop may be busy without looking at its sockets before an error is logged
    /// (`BLOCKED_LOOP_MS`, in milliseconds); nil (`none`) never logs. Time in which its thread only waits for a
    /// processor, on a machine that is busy otherwise, does not count.
    public var blockedLoopThreshold: Duration? = .milliseconds(100)

    /// The defaults.
    public init() {}
}

extension ServerConfiguration {
    /// Threads for blocking work, none of them started yet.
    package var blockingPool: BlockingPool { BlockingPool(threads: offloadThreads, queue: maximumOffloadQueue) }

    /// The memory that clients may use.
    package var memoryBudget: MemoryBudget {
        MemoryBudget(maximumBufferedSize ?? max(16 << 20, UsableMemory.size / 16))
    }

    /// Returns the limits on the streams and WebSockets that clients may keep open, if so many connections are
    /// possible.
    package func clientBudgets(connections: Int = .max) -> ClientBudgets {
        let whole = ClientBudget(connections - connections / 8)
        return ClientBudgets(
            streams: ClientBudget(maximumEventStreams, forAddress: maximumEventStreamsPerAddress, within: whole),
            webSockets: ClientBudget(maximumWebSockets, forAddress: maximumWebSocketsPerAddress, within: whole)
        )
    }

    /// The time after which the kernel gives a client up. It takes one that does not read for one that cannot be
    /// reached, so it must not come before the server, which waits for ``sendTimeout``.
    var kernelTimeout: Duration? { unreachableTimeout.map { max($0, sendTimeout) } }

    /// The part that a connection needs.
    var connectionLimits: ConnectionLimits {
        ConnectionLimits(
            parser: HeadLimits(
                requestLine: maximumRequestLineSize,
                fields: maximumHeaderSize,
                fieldCount: maximumHeaderCount
            ),
            headTimeout: headTimeout.wholeSeconds,
            body: MinimumRate(bytes: minimumBodyRate, window: bodyTimeout.wholeSeconds),
            output: MinimumRate(bytes: minimumSendRate, window: sendTimeout.wholeSeconds),
            handlerTimeout: handlerTimeout?.wholeSeconds,
            maximumAge: maximumConnectionAge?.wholeSeconds,
            maximumRequests: maximumRequestsPerConnection,
            idleTimeout: idleTimeout.wholeSeconds,
            lingerTimeout: lingerTimeout.wholeSeconds,
            heartbeat: eventHeartbeat.wholeSeconds
        )
    }
}
