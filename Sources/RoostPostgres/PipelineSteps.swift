/// What a connection in pipeline mode has been sent and has not replied to, in order; each has one result.
struct PipelineSteps {
    enum Step {
        /// The statement of a read.
        case read(PipelinedRead, StatementCache.Entry)
        case prepare(StatementCache.Entry)
        case deallocate
        /// `SET statement_timeout`, in a transaction of its own.
        case limit
        case sync
    }

    private var steps: [Step] = []
    /// How many of them, from the first, are over.
    private var done = 0
    /// How many reads are under way.
    private(set) var readCount = 0
    /// How many results have arrived so far.
    private(set) var taken = 0

    var isEmpty: Bool { done == steps.count }

    /// The reads under way, from the first.
    var reads: [PipelinedRead] {
        steps[done...].compactMap { if case .read(let read, _) = $0 { read } else { nil } }
    }

    /// Whether the next result is that of a sync.
    var isSyncNext: Bool { if !isEmpty, case .sync = steps[done] { true } else { false } }

    /// Whether a statement is being prepared or dropped.
    var changesCache: Bool {
        steps[done...].contains { step in
            switch step {
            case .prepare, .deallocate: true
            case .read, .limit, .sync: false
            }
        }
    }

    /// Whether the server's limit is being set.
    var changesLimit: Bool { steps[done...].contains { if case .limit = $0 { true } else { false } } }

    mutating func append(_ step: Step) {
        steps.append(step)
        if case .read = step { readCount += 1 }
    }

    /// Removes the first one, whose result has arrived.
    mutating func takeFirst() -> Step {
        let step = steps[done]
        if case .read = step { readCount -= 1 }
        done += 1
        taken += 1
        if isEmpty { removeAll() } else if done > 256 { compact() }
        return step
    }

    mutating func removeAll() {
        steps.removeAll(keepingCapacity: true)
        done = 0
        readCount = 0
    }

    private mutating func compact() {
        steps.removeFirst(done)
        done = 0
    }
}
