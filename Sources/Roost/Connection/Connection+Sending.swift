import Logging

// A connection's output: gathered while requests that came together are handled, written at once, and kept when the
// client does not take it. Nothing else writes to the socket.

extension Connection {
    /// The buffer for the next bytes to this client, which are sent with the turn's output.
    var output: ByteBuffer { group.output.buffer(for: self) }

    /// Sends what has been written to ``output``, and what other connections have written, now and not at the end of
    /// the turn.
    package func flush() { group.output.send() }

    /// Sends bytes, behind those that the client has not taken yet.
    func write(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard state.phase != .closed else { return }
        if let unsent {
            if !unsent.append(bytes) { cutOff("did not read its response") }
            return
        }
        switch socket.write(bytes) {
        case .bytes(let count) where count == bytes.count: outputMoved(count)
        case .bytes(let count):
            outputMoved(count)
            keepUnsent(UnsafeBufferPointer(rebasing: bytes[count...]))
        case .wouldBlock: keepUnsent(bytes)
        case .end, .failed: close()
        }
    }

    /// The client, or the kernel for it, has taken some output.
    @inline(__always)
    private func outputMoved(_ count: Int) {
        // Those of a stream are counted by the connection that carries it.
        if socket.isOfSystem { group.metrics?.sent(count) }
        if state.countsOutput { state.outputMoved(count, at: group.now, group.limits.output) }
    }

    /// Keeps output that the client has not taken. A client is cut off if all clients together have as much in memory
    /// as they may.
    private func keepUnsent(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let rest = UnsentOutput(copying: bytes, group.memory) else {
            return cutOff("did not read its response")
        }
        unsent = rest
        awaitOutput()
    }

    /// Closes the connection of a client for which there is no memory.
    /// - Parameter deed: The client's part in it, as a verb phrase for the log: "Cut off a client that …".
    func cutOff(_ deed: String) {
        group.logger.info("Cut off a client that \(deed): clients hold too much memory.")
        close()
    }

    /// Waits until the client can take more. Until then it gets no response to another request, so that is not read.
    private func awaitOutput() {
        state.awaitOutput(at: group.now, group.limits.output)
        watch(state.phase == .receiving ? .writable : socket.interest.union(.writable))
    }

    /// The client can take more.
    func resend() {
        if unsent == nil, state.wait != .output, socket.transport?.hasToWrite ?? false {
            watch(.readable)
            return ready(.readable)
        }
        guard let rest = unsent else { return allSent() }
        switch socket.write(rest.bytes) {
        case .bytes(let count):
            unsent?.take(count)
            outputMoved(count)
            if unsent?.isEmpty ?? true { allSent() }
        case .wouldBlock: break
        case .end, .failed: close()
        }
    }

    private func allSent() {
        unsent = nil
        state.outputIsTaken(at: group.now, group.limits.output)
        let readsAgain = state.phase == .receiving || socket.transport?.hasToWrite ?? false
        watch(readsAgain ? .readable : socket.interest.subtracting(.writable))
        switch state.phase {
        case .receiving:
            awaitRequest()
            if group.isDraining { finishUnlessRequestHasCome() }
        case .serving: incoming?.awaitMore()
        case .upgraded: session?.outputIsTaken()
        case .lingering: shutDown()
        case .closed: break
        }
        resumeOutputWaiters()
    }

    func resumeOutputWaiters() {
        let waiters = outputWaiters
        outputWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    /// Sends as much of a part of a file as the client takes now.
    func send(_ file: OpenFile, _ range: Range<Int>) throws(FileReadError) -> Transfer {
        let transfer = try socket.send(file, range)
        if case .bytes(let count) = transfer { outputMoved(count) }
        return transfer
    }

    /// Waits until the client can take more of a body that does not go through ``output``, such as a file. Closes the
    /// connection of one whose time is over.
    func awaitRoom() async {
        guard state.phase == .serving else { return }
        awaitOutput()
        if state.deadline <= group.now { return close() }
        await withCheckedContinuation { outputWaiters.append($0) }
    }

    /// Waits until the client has taken everything: so a slow reader stops the writer, and memory does not grow.
    func outputTaken() async {
        guard unsent != nil, state.phase == .serving || state.phase == .upgraded else { return }
        await withCheckedContinuation { outputWaiters.append($0) }
    }
}
