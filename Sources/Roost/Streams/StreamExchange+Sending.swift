// The bytes of a response for its carrier, bodies that come over time, and event streams.

extension StreamExchange {
    /// The number of bytes of the response's body that can be sent now, at most so many.
    package func unsent(upTo most: Int) -> StreamOutput.Reading {
        transport?.unsent(upTo: most) ?? output.unsent(upTo: most)
    }

    /// Copies as many of them as there is room for. False when they are not there any more: a file that cannot be read
    /// is reported.
    package func take(into room: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        if let transport { return transport.take(into: room) }
        do throws(FileReadError) { return try output.take(into: room, group.limits.output) } catch {
            group.report(error, in: output.request)
            return false
        }
    }

    /// Takes the memory that an unsent response needs out of the budget of clients. False when they have no more: then
    /// that is logged, and not asked again.
    package func countMemory() -> Bool {
        if isCutOff { return true }
        if transport?.countMemory(group.memory) ?? true, output.countMemory(group.memory) { return true }
        group.logger.info("Reset a stream whose client did not read its response: clients hold too much memory.")
        isCutOff = true
        return false
    }

    /// Whether the response is a large file, which stays open until the client has taken it.
    package var hasLargeFile: Bool { output.hasLargeFile }

    /// Whether a body may be sent: a client has one connection for many large files, so it must leave at least as many
    /// places for them to others as it had before.
    func leavesPlaces(_ body: Body) -> Bool {
        guard case .file(let part) = body.storage, part.isSlow else { return true }
        return carrier.largeFiles <= part.file.placesLeft
    }
}

extension StreamExchange: LiveTarget {
    /// The number of bytes that may wait to be sent before the maker of a stream has to wait.
    private static let mostUnsent = 64 * 1024

    /// Sends the body of a response whose head has been sent.
    /// - Parameter request: The name of the request in the log.
    func sendBody(_ response: Response, to request: String) async {
        switch response.body.storage {
        case .stream:
            let isWhole = await group.send(response.body, to: request) { await self.sendPiece($0) }
            if isClosed { return }
            if isWhole { finish() } else { carrier.reset(self) }
        case .live(let body): beginLive(body, request)
        default: break
        }
    }

    private func finish() {
        output.finish()
        carrier.goOn(self)
    }

    private func sendPiece(_ bytes: [UInt8]) async -> Bool {
        guard !isClosed else { return false }
        output.append(bytes)
        carrier.goOn(self)
        if bytes.count >= Self.mostUnsent || !output.isTaken {
            await withCheckedContinuation { output.whenTaken($0) }
        }
        return !isClosed
    }

    // MARK: Event streams

    /// False: the writer waits after each write.
    func endsTurn(with count: Int) -> Bool { false }

    /// Lets the body write itself in a task of its own, since a stream lasts.
    private func beginLive(_ body: LiveBody, _ request: String) {
        guard !isClosed else { return }
        guard !group.isDraining else { return endNow() }
        let me = LoopBound(lending: self, of: group.loop)
        task = Task(executorPreference: me.loop) { await me.value.runLive(body, request) }
    }

    private func runLive(_ body: LiveBody, _ request: String) async {
        let place = output.place
        defer { withExtendedLifetime(place) {} }
        guard isOpen else { return }
        let target = LoopBound<any LiveTarget>(lending: self, of: group.loop)
        do {
            try await body.write(LiveWriter(output: target))
        } catch {
            group.report(error, in: request)
            if isOpen { carrier.reset(self) }
            return
        }
        guard isOpen else { return }
        live = nil
        finish()
    }

    var isOpen: Bool { live != nil && !isClosed }

    var isTaken: Bool { output.isTaken }

    func send(_ bytes: [UInt8]) -> Bool {
        guard isOpen else { return false }
        live?.lastWrite = group.now
        if bytes.isEmpty { return true }
        output.append(bytes)
        carrier.goOn(self)
        return true
    }

    func whenTaken(_ waiter: CheckedContinuation<Void, Never>) { output.whenTaken(waiter) }

    /// Ends the stream from outside, as when the server ends: nothing else would end it.
    package func endNow() {
        guard isOpen, let body = live?.body else { return }
        _ = send(body.farewell())
        live = nil
        let task = task
        finish()
        task?.cancel()
    }

    func sendHeartbeat() {
        guard let live, isOpen, isTaken, group.now - live.lastWrite >= group.limits.heartbeat else { return }
        _ = send(live.body.heartbeat)
    }
}
