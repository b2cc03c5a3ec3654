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
        for transfer in Array(transfers.values) {
            if let deadline = transfer.deadline, deadline <= now { cancel(transfer, transfer.timedOut) }
        }
        isSweeping = !transfers.isEmpty
        if isSweeping { sweep?.add(after: .milliseconds(100)) }
    }

    /// Ends a transfer before it is complete.
    func cancel(_ transfer: Transfer, _ error: any Error) {
        guard let easy = transfer.easy, remove(easy) != nil else { return }
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
            remove(easy)?.complete(code)
        }
    }

    private func remove(_ easy: UnsafeMutableRawPointer) -> Transfer? {
        guard let transfer = transfers.removeValue(forKey: easy) else { return nil }
        curl_multi_remove_handle(multi, easy)
        curl_easy_cleanup(easy)
        transfer.release()
        return transfer
    }
}

/// The error of a program in which libcurl cannot start.
struct CurlUnavailable: Error, CustomStringConvertible {
    let description = "libcurl could not be initialized: there is no memory for it, or its TLS library does not work."
}
