internal import CCurl
import Roost

// libcurl's multi interface says which sockets it waits for and when it wants to be called at the latest; the loop
// calls it then. No thread but libcurl's resolver, which exists while a name is being resolved.

/// One event loop's connections and transfers; used on the loop's thread only.
final class TransferPool {
    private let multi: UnsafeMutableRawPointer
    private let loop: EventLoop
    private let settings: TransferSettings
    /// The events of sockets, kept for the next transfer on the same connection.
    private var watches: [curl_socket_t: Watch] = [:]
    private var timer: IOEvent?
    /// Looks for transfers whose deadline has passed, while there are any.
    private var sweep: IOEvent?
    private var isSweeping = false
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    private var hosts = SharedHosts()
    private var hasEnded = false

    private struct Watch {
        let readiness: Readiness
        let event: IOEvent
    }

    private static let isReady = global_prepare() == CURLE_OK

    init(_ loop: EventLoop, _ settings: TransferSettings) throws {
        guard Self.isReady, let multi = curl_multi_init() else { throw CurlUnavailable() }
        self.multi = multi
        self.loop = loop
        self.settings = settings
        let me = Unmanaged.passUnretained(self).toOpaque()
        multi_set_number(multi, CURLMOPT_MAX_HOST_CONNECTIONS, settings.connectionsPerHost)
        multi_set_number(multi, CURLMOPT_MAXCONNECTS, TransferSettings.idleConnections)
        multi_set_pointer(multi, CURLMOPT_SOCKETDATA, me)
        multi_set_socket(multi) { _, socket, what, me, _ in
            if let me { TransferPool.from(me).watch(socket, what) }
            return 0
        }
        multi_set_pointer(multi, CURLMOPT_TIMERDATA, me)
        multi_set_timer(multi) { _, milliseconds, me in
            if let me { TransferPool.from(me).setTimer(milliseconds) }
            return 0
        }
        timer = IOEvent(loop, -1, []) { [unowned self] _ in act(timeout_socket, 0) }
        sweep = IOEvent(loop, -1, []) { [unowned self] _ in endOverdue() }
    }

    private static func from(_ pointer: UnsafeMutableRawPointer) -> TransferPool {
        Unmanaged<TransferPool>.fromOpaque(pointer).takeUnretainedValue()
    }

    deinit { end() }

    /// Begins a transfer.
    func begin(_ transfer: Transfer) throws {
        guard !hasEnded else { throw EventLoopEnded() }
        guard let easy = curl_easy_init() else { throw CurlUnavailable() }
        do {
            try transfer.prepare(easy, settings)
        } catch {
            curl_easy_cleanup(easy)
            transfer.release()
            throw error
        }
        transfers[easy] = transfer
        transfer.pool = self
        if transfer.isShared, hosts.begin(transfer.exchange.request.host, at: .now) {
            easy_set_number(easy, CURLOPT_FRESH_CONNECT, 1)
        }
        guard curl_multi_add_handle(multi, easy) == CURLM_OK else {
            _ = remove(easy)
            throw CurlUnavailable()
        }
        if !isSweeping {
            isSweeping = true
            sweep?.add(after: .milliseconds(100))
        }
    }

    private func endOverdue() {
        let now = ContinuousClock.now
        let late = transfers.values.filter { $0.deadline.map { $0 <= now } ?? false }
        // By then, all calls have ended that may be on a connection with one that is late.
        let ends = late.isEmpty ? [:] : SharedHosts.ends(of: transfers.values.filter(\.isShared).compactMap(Self.end))
        for transfer in late {
            let host = transfer.exchange.request.host
            if transfer.isShared, let last = ends[host], let deadline = transfer.deadline {
                let begun = deadline - transfer.exchange.time
                hosts.avoid(host, until: last + .seconds(1), ifSilentSince: begun)
            }
            cancel(transfer, transfer.timedOut)
        }
        isSweeping = !transfers.isEmpty
        if isSweeping { sweep?.add(after: .milliseconds(100)) }
    }

    /// The host of a transfer, and its deadline; nil while that waits for us.
    private static func end(of transfer: Transfer) -> (String, ContinuousClock.Instant)? {
        transfer.deadline.map { (transfer.exchange.request.host, $0) }
    }

    /// Ends a transfer before it is complete. Its connection may have died without a word, so it closes, unless others
    /// are on it.
    func cancel(_ transfer: Transfer, _ error: any Error) {
        guard let easy = transfer.easy, transfers[easy] != nil else { return }
        easy_set_number(easy, CURLOPT_FORBID_REUSE, 1)
        _ = remove(easy)
        transfer.end(error)
    }

    /// Goes on with a transfer that paused. The call may bring bytes at once.
    func resume(_ transfer: Transfer) {
        guard let easy = transfer.easy, transfers[easy] != nil else { return }
        transfer.goesOn(sending: true, receiving: true)
        curl_easy_pause(easy, CURLPAUSE_CONT)
        // Events that have come up meanwhile are dealt with from the loop, not from here.
        timer?.add(after: .zero)
    }

    /// Ends all transfers, and closes the connections.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        for easy in Array(transfers.keys) { remove(easy)?.end(EventLoopEnded()) }
        curl_multi_cleanup(multi)
        watches = [:]
        timer = nil
        sweep = nil
    }

    // MARK: What libcurl asks for

    private func watch(_ socket: curl_socket_t, _ what: Int32) {
        let known = watches[socket]
        known?.event.remove()
        guard what != CURL_POLL_REMOVE, !hasEnded else { return }
        var readiness: Readiness = []
        if what & CURL_POLL_IN != 0 { readiness.insert(.readable) }
        if what & CURL_POLL_OUT != 0 { readiness.insert(.writable) }
        // A descriptor that cannot be watched ends its transfer at its deadline.
        if let known, known.readiness == readiness {
            known.event.add()
            return
        }
        let event = IOEvent(loop, socket, readiness, isPersistent: true) { [unowned self] ready in
            var flags: Int32 = 0
            if ready.contains(.readable) { flags |= CURL_CSELECT_IN }
            if ready.contains(.writable) { flags |= CURL_CSELECT_OUT }
            act(socket, flags)
        }
        event.add()
        watches[socket] = Watch(readiness: readiness, event: event)
    }

    private func setTimer(_ milliseconds: Int) {
        if milliseconds < 0 { timer?.remove() } else { timer?.add(after: .milliseconds(milliseconds)) }
    }

    private func act(_ socket: curl_socket_t, _ flags: Int32) {
        var running: Int32 = 0
        curl_multi_socket_action(multi, socket, flags, &running)
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            let code = message.pointee.data.result
            remove(easy, hasResponse: code == CURLE_OK)?.complete(code)
        }
    }

    private func remove(_ easy: UnsafeMutableRawPointer, hasResponse: Bool = false) -> Transfer? {
        guard let transfer = transfers.removeValue(forKey: easy) else { return nil }
        if transfer.isShared { hosts.end(transfer.exchange.request.host, respondedAt: hasResponse ? .now : nil) }
        curl_multi_remove_handle(multi, easy)
        curl_easy_cleanup(easy)
        transfer.release()
        return transfer
    }
}

/// The hosts to which calls share connections, while there are such calls.
///
/// libcurl gives a call the oldest connection that it may share. One that has died without a word would get them all,
/// and would never be without a call, so it would not close when one has timed out.
struct SharedHosts {
    private var hosts: [String: Host] = [:]

    private struct Host {
        /// The number of calls under way.
        var calls = 0
        /// The time of the latest response.
        var responded: ContinuousClock.Instant?
        /// The time until which calls take new connections.
        var avoided: ContinuousClock.Instant?
    }

    /// The latest deadline of the calls to each host.
    static func ends(of calls: [(String, ContinuousClock.Instant)]) -> [String: ContinuousClock.Instant] {
        Dictionary(calls, uniquingKeysWith: max)
    }

    /// Counts a call to a host. Returns whether it takes a new connection.
    mutating func begin(_ name: String, at now: ContinuousClock.Instant) -> Bool {
        hosts[name, default: Host()].calls += 1
        guard let avoided = hosts[name]?.avoided else { return false }
        return now < avoided
    }

    /// A call is over, with a response if it has a time. With its last call, a host is forgotten: its connections have
    /// closed or are good.
    mutating func end(_ name: String, respondedAt time: ContinuousClock.Instant?) {
        guard var host = hosts[name] else { return }
        host.calls -= 1
        host.responded = time ?? host.responded
        hosts[name] = host.calls > 0 ? host : nil
    }

    /// Lets calls to a host take new connections until a time, unless it has responded to one since a call began that
    /// has timed out: then its connection is good.
    mutating func avoid(
        _ name: String, until time: ContinuousClock.Instant, ifSilentSince begun: ContinuousClock.Instant
    ) {
        if let responded = hosts[name]?.responded, responded >= begun { return }
        hosts[name]?.avoided = time
    }
}

/// The error of a program in which libcurl cannot start.
struct CurlUnavailable: Error, CustomStringConvertible {
    let description = "libcurl could not be initialized: there is no memory for it, or its TLS library does not work."
}
