/// The body of a request on a stream. It is read on demand: the client may send more when its bytes have been read.
///
/// It is used on its connection's loop only; other code sees it as an ``IncomingBodyStream``.
final class StreamBody: BodySource {
    private let memory: MemoryBudget
    private let rate: MinimumRate
    @exclusivity(unchecked) private var bytes: [UInt8] = []
    /// The part of the memory budget that the bytes take, if they are many.
    private var lease: MemoryLease?
    /// Whether the client has sent all of it.
    @exclusivity(unchecked) private(set) var isWhole = false
    @exclusivity(unchecked) private var fault: (any Error)?
    /// The client's arrears in sending it.
    private var arrears = Arrears()
    @exclusivity(unchecked) private var waiter: CheckedContinuation<Void, Never>?
    /// Counts the waits, so that only the one that was cancelled ends.
    private var waits: UInt32 = 0
    /// Called when somebody begins to wait for more, and when bytes have been read, with their number.
    var onWait: () -> Void = {}
    var onRead: (Int) -> Void = { _ in }

    init(in group: ConnectionGroup) {
        memory = group.memory
        rate = group.limits.body
    }

    /// Whether somebody waits for more of it.
    var isAwaited: Bool { waiter != nil }

    /// The time in seconds for which the client has kept its reader waiting.
    var lag: Int { rate.window - arrears.secondsLeft(rate) }

    /// More has come. What there is no memory for is dropped, and the reader learns that.
    /// - Parameter streams: The number of streams that are open on its connection, with its own. They share what the
    ///   connection may have without being counted.
    func receive(_ more: UnsafeBufferPointer<UInt8>, among streams: Int = 1) {
        guard fault == nil else { return }
        if bytes.count + more.count > MemoryBudget.uncounted / streams {
            if lease == nil { lease = MemoryLease(0, of: memory) }
            guard lease?.hasGrown(by: more.count) ?? false else { return fail(HTTPError.memoryIsFull) }
        }
        arrears.pay(more.count, rate)
        bytes += more
        resume()
    }

    /// The client has sent all of it.
    func finish() {
        isWhole = true
        resume()
    }

    /// Nothing more will come. What has come is dropped; a body that has been read to its end stays as it is.
    func fail(_ error: @autoclosure () -> any Error) {
        lease = nil
        guard !isWhole || !bytes.isEmpty else { return }
        if fault == nil { fault = error() }
        bytes = []
        resume()
    }

    private func resume() {
        waiter?.resume()
        waiter = nil
    }

    /// Everything, if it has come.
    func takeWhole() -> [UInt8]? {
        guard isWhole, fault == nil else { return nil }
        defer { bytes = [] }
        return bytes
    }

    /// Whether there is something to read without waiting, or the end.
    var hasMore: Bool { !bytes.isEmpty || isWhole || fault != nil }

    /// Copies what has come; returns the number of bytes.
    func read(into memory: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(memory.count, bytes.count)
        guard count > 0 else { return 0 }
        memory.copyBytes(from: bytes[..<count])
        bytes.removeFirst(count)
        if bytes.isEmpty { lease = nil } else { lease?.shrink(to: bytes.count) }
        onRead(count)
        return count
    }

    func next() async throws -> [UInt8]? {
        while true {
            if let fault { throw fault }
            if !bytes.isEmpty {
                let read = bytes
                bytes = []
                lease = nil
                onRead(read.count)
                return read
            }
            if isWhole { return nil }
            try await more()
        }
    }

    private func more() async throws {
        guard waiter == nil, let loop = EventLoop.current else { throw BodyReadElsewhere() }
        onWait()
        if isWhole || fault != nil || !bytes.isEmpty { return }
        let me = LoopBound(lending: self, of: loop)
        waits &+= 1
        let number = waits
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter = $0 }
        } onCancel: {
            me.loop.execute { me.value.cancelWait(number) }
        }
        try Task.checkCancellation()
    }

    private func cancelWait(_ number: UInt32) { if number == waits { resume() } }

    /// A second has passed: if somebody has waited in it, the client owes the bytes that are due in a second.
    func secondHasPassed() {
        guard isAwaited else { return }
        arrears.add(seconds: 1, rate)
        if arrears.secondsLeft(rate) == 0 {
            fail(HTTPError(.requestTimeout, "The body took too long to arrive."))
        }
    }
}
