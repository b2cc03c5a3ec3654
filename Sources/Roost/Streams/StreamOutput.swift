import Glibc

/// The body of a response on a stream, as far as it has been made and not been sent.
package struct StreamOutput {
    private enum Content {
        case none
        case memory(Body)
        /// With the name of its request in the log.
        case file(FilePart, request: String)
        case pieces([UInt8])
    }

    /// The part of it that can be sent.
    package enum Reading {
        case bytes(Int, isEnd: Bool)
        /// Nothing until more has been made.
        case later
    }

    private var content = Content.none
    private var offset = 0
    private var end = 0
    /// Whether nothing more will be made.
    private(set) var isWhole = true
    /// The client's arrears in taking it.
    private var arrears = Arrears()
    private var lease: MemoryLease?
    private var waiters: [CheckedContinuation<Void, Never>] = []
    /// The place of an event stream among all.
    var place: LivePlace?

    /// Whether everything that has been made has been sent.
    var isTaken: Bool { offset == end }

    /// Whether everything has been sent.
    var isDone: Bool { isWhole && isTaken }

    /// Whether it holds a large file open.
    var hasLargeFile: Bool { if case .file(let part, _) = content { part.isSlow } else { false } }

    /// The name of the request that the file is for.
    var request: String? { if case .file(_, let request) = content { request } else { nil } }

    /// Begins with a body that is not empty.
    /// - Parameter request: The name of the request in the log.
    mutating func begin(_ body: Body, to request: @autoclosure () -> String) {
        switch body.storage {
        case .file(let part):
            // A client's window may stay shut for long. Where places run short, a small file is closed at once, as over
            // HTTP/1.1, and counts in the memory of all clients. If it cannot be read, `take` says so.
            if part.file.placesRunShort, let bytes = part.smallBytes {
                (content, end) = (.pieces(bytes), bytes.count)
            } else {
                content = .file(part, request: request())
                (offset, end) = (part.range.lowerBound, part.range.upperBound)
            }
        case .stream, .live: isWhole = false
        default:
            content = .memory(body)
            end = body.countInMemory ?? 0
        }
    }

    /// Adds a piece that has been made.
    mutating func append(_ bytes: [UInt8]) {
        if case .pieces(let rest) = content, offset < end {
            content = .pieces(Array(rest[offset..<end]) + bytes)
            end = end - offset + bytes.count
        } else {
            content = .pieces(bytes)
            end = bytes.count
        }
        offset = 0
    }

    /// Nothing more will be made.
    mutating func finish() { isWhole = true }

    /// The number of bytes that can be sent now, at most so many.
    func unsent(upTo most: Int) -> Reading {
        let count = min(most, end - offset)
        if count == 0, !isWhole { return .later }
        return .bytes(count, isEnd: isWhole && offset + count == end)
    }

    /// Copies as many bytes as there is room for, and lets those go on who wait until all are taken. False when they
    /// are not there: the stream has ended.
    mutating func take(
        into room: UnsafeMutableBufferPointer<UInt8>, _ rate: MinimumRate
    ) throws(FileReadError) -> Bool {
        let count = room.count
        if count == 0 { return true }
        guard count <= end - offset, try copy(count, into: room) else { return false }
        offset += count
        arrears.pay(count, rate)
        if isTaken {
            content = .none
            lease = nil
            resume()
        }
        return true
    }

    private func copy(
        _ count: Int, into room: UnsafeMutableBufferPointer<UInt8>
    ) throws(FileReadError) -> Bool {
        guard let target = room.baseAddress else { return false }
        switch content {
        case .none: return false
        case .file(let part, _):
            try OpenFile.fill(UnsafeMutableRawBufferPointer(room), from: part.file.descriptor, at: offset)
        case .pieces(let bytes):
            bytes.withUnsafeBufferPointer { if let source = $0.baseAddress { memcpy(target, source + offset, count) } }
        case .memory(let body):
            try? body.withBytes { if let source = $0.baseAddress { memcpy(target, source + offset, count) } }
        }
        return true
    }

    mutating func countMemory(_ memory: MemoryBudget) -> Bool {
        guard lease == nil, !isTaken else { return true }
        if case .file = content { return true }
        guard memory.hasRoom(for: end - offset, of: end - offset) else { return false }
        lease = MemoryLease(end - offset, of: memory)
        return true
    }

    /// A second has passed. True when the client has not taken in time what there was to take.
    mutating func isOverdue(_ rate: MinimumRate) -> Bool {
        guard !isTaken else { return false }
        arrears.add(seconds: 1, rate)
        return arrears.secondsLeft(rate) == 0
    }

    /// The time in seconds for which the client has not taken what there is to take; nil if there is nothing.
    func lag(_ rate: MinimumRate) -> Int? { isTaken ? nil : rate.window - arrears.secondsLeft(rate) }

    /// Calls back when everything that has been made has been sent, or nobody wants it.
    mutating func whenTaken(_ waiter: CheckedContinuation<Void, Never>) {
        if isTaken { waiter.resume() } else { waiters.append(waiter) }
    }

    private mutating func resume() {
        let waiting = waiters
        waiters = []
        for waiter in waiting { waiter.resume() }
    }

    /// The stream has ended.
    mutating func abandon() {
        content = .none
        end = offset
        lease = nil
        resume()
    }
}
