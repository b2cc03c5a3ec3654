/// Something that the bytes of a connection pass through on their way from and to its socket, such as TLS.
///
/// It reads and writes the socket by itself, when its connection is told to. Used on the loop's thread only.
package protocol Transport: AnyObject {
    /// Reads what the client has sent, at most as much as the memory holds. The socket is read once at most.
    func read(into memory: UnsafeMutableRawBufferPointer) -> Transfer
    /// Sends bytes. Those that it does not take, the caller offers again before it offers any others.
    func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Transfer
    /// Sends a part of a file, in the same way.
    func send(_ file: Int32, _ range: Range<Int>) throws(FileReadError) -> Transfer
    /// Whether there may be more to read although the socket will not say so.
    var hasMore: Bool { get }
    /// Whether the client sends nothing more, where that does not show at the socket.
    var peerHasFinished: Bool { get }
    /// Whether nothing more can be read before more has been sent.
    var hasToWrite: Bool { get }
    /// Whether it has bytes of which nothing can be read before more comes: a reset right behind them is not reported.
    var holdsPart: Bool { get }
    /// Whether the handshake has chosen HTTP/2 (RFC 9113 §3.2); no other protocol may follow it then, and none but
    /// HTTP/1.1 may otherwise.
    var speaksHTTP2: Bool { get }
    /// Tells the client, if that is possible, that nothing more comes.
    func end()
    /// The state of what comes before the first byte of a request.
    var handshake: Handshake { get }
}

extension Transport {
    package var peerHasFinished: Bool { false }
    package var holdsPart: Bool { false }

    /// Whether bytes of requests and responses can pass.
    var isEstablished: Bool { if case .done = handshake { true } else { false } }
}

/// The result of reading or writing once.
package enum Transfer {
    case bytes(Int)
    case wouldBlock
    /// The peer has shut down its side.
    case end
    /// The connection is gone.
    case failed
}

/// The handshake of a ``Transport``, which has the time of a head.
package enum Handshake {
    /// The client has sent nothing.
    case notBegun
    case begun
    case done
    /// It cannot go on, for a reason in plain words: "the client trusts none of the certificates".
    case failed(String)
}

extension Connection {
    /// Reads what the transport has and the socket will not report, when other sockets have had their part.
    func readTransportLater() {
        guard !willReadTransport, socket.interest.contains(.readable), socket.transport?.hasMore ?? false
        else { return }
        willReadTransport = true
        group.loop.afterEvents { [self] in
            willReadTransport = false
            if socket.interest.contains(.readable) { ready(.readable) }
        }
    }

    /// The connection ends: counts a handshake that has not come to its end, and says so in the log.
    func noteHandshake() {
        switch socket.transport?.handshake {
        case nil, .notBegun, .done: break
        case .begun: noteFailure(peerHasFinished ? "the client left" : "it was not complete in time")
        case .failed(let reason): noteFailure(reason)
        }
    }

    private func noteFailure(_ reason: String) {
        group.metrics?.handshakeFailed()
        guard group.logger.logLevel <= .info, group.mayLogRefusal() else { return }
        group.logger.info("No TLS with \(clientHost): \(reason).")
    }
}
