/// The steps that have been sent over a connection in pipeline mode, in order, until they are replied to and their
/// transaction has ended; each has one result.
struct PipelineSteps {
    enum Step {
        /// The statement of a read.
        case read(PipelinedRead, StatementCache.Entry)
        case prepare(StatementCache.Entry)
        /// The statement that makes the transaction read-only.
        case protection
        case deallocate
        /// `SET statement_timeout`, in a transaction of its own.
        case limit
        case sync
    }

    private var steps: [Step] = []
    /// The index of the first step of the first transaction that has not ended.
    private var begin = 0
    /// The number of steps, from the first, that have their results.
    private var done = 0
    /// The number of reads that have no result yet.
    private(set) var readCount = 0
    /// The number of results that have arrived so far.
    private(set) var taken = 0

    var isEmpty: Bool { done == steps.count }

    /// The reads whose tasks wait: for the end of their transaction, or for a result.
    var reads: [PipelinedRead] {
        steps[begin..<done].compactMap(\.read).filter(\.isFinished) + steps[done...].compactMap(\.read)
    }

    /// The first read without a result.
    var firstRead: PipelinedRead? { steps[done...].lazy.compactMap(\.read).first }

    /// Whether the next result is that of a sync.
    var isSyncNext: Bool { if !isEmpty, case .sync = steps[done] { true } else { false } }

    /// Whether a statement is being prepared or dropped.
    var changesCache: Bool {
        steps[done...].contains { step in
            switch step {
            case .prepare, .deallocate: true
            case .read, .protection, .limit, .sync: false
            }
        }
    }

    /// Whether the server's limit is being set.
    var changesLimit: Bool { steps[done...].contains { if case .limit = $0 { true } else { false } } }

    mutating func append(_ step: Step) {
        steps.append(step)
        if case .read = step { readCount += 1 }
    }

    /// Goes beyond the first one without a result, which has arrived.
    mutating func takeFirst() -> Step {
        let step = steps[done]
        if case .read = step { readCount -= 1 }
        done += 1
        taken += 1
        return step
    }

    /// Takes the next read of the first transaction whose rows have been read. Others have failed, or are sent again.
    mutating func takeFinished() -> PipelinedRead? {
        while begin < done {
            begin += 1
            if case .read(let read, _) = steps[begin - 1], read.isFinished { return read }
        }
        return nil
    }

    /// Ends the first transaction, whose sync is next and has its result.
    mutating func endTransaction() {
        done += 1
        taken += 1
        begin = done
        if isEmpty { removeAll() } else if done > 256 { compact() }
    }

    mutating func removeAll() {
        steps.removeAll(keepingCapacity: true)
        (begin, done, readCount) = (0, 0, 0)
    }

    private mutating func compact() {
        steps.removeFirst(done)
        (begin, done) = (0, 0)
    }
}

extension PipelineSteps.Step {
    /// The read, if it is one.
    fileprivate var read: PipelinedRead? { if case .read(let read, _) = self { read } else { nil } }
}
