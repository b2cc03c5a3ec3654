/// A viewer of one source of a live page: sends what the source has, as far as the viewer may see it.
///
/// Nothing is queued for a slow viewer. A viewer is a place in the topic's history: when it takes bytes again, it gets
/// what has come since, without what is obsolete by then; and what is no longer kept becomes a refresh.
struct LiveViewer: Sendable {
    /// The size of events, in bytes, from which on no more are sent together.
    static let largestBatch = 64 * 1024

    private let body: any BodyWriter
    /// The line before each event: which page of the stream, and which source of the page. `data: 0.1`.
    private let label: [UInt8]
    private let rights: LiveRights

    init(_ body: any BodyWriter, page: Int, source: Int, _ rights: LiveRights) {
        self.body = body
        self.rights = rights
        label = Array("data: \(page).\(source)\n".utf8)
    }

    /// Sends events that came together, and returns when the viewer has taken them.
    /// - Throws: ``LiveRightLost`` when the viewer may not see the page any more, or nobody could tell for too long.
    func send(_ batch: [LiveMessage]) async throws {
        if batch.contains(where: \.event.hasContent) { try await rights.check() }
        let current = try Self.current(batch)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(current.reduce(0) { $0 + label.count + $1.bytes.count })
        for message in current {
            bytes += label
            bytes += message.bytes
        }
        try await body.write(consume bytes)
    }

    /// The events that count: none that a later one for the same element makes obsolete, and no fragments where the
    /// whole page is asked for. The news of all are kept, and the position is that of the last.
    static func current(_ batch: [LiveMessage]) throws -> [LiveMessage] {
        guard batch.count > 1, let last = batch.last else { return batch }
        let isRefreshed = batch.contains { $0.event.action == .refresh }
        var later: [ExactText: LiveEvent.Action] = [:]
        var kept: [LiveMessage] = []
        for message in batch.reversed() {
            let event = message.event
            let isObsolete = isRefreshed ? event.target != nil : event.isObsolete(before: later)
            // What is added may have been elsewhere before, so what has removed it from there counts.
            if event.action == .append || event.action == .prepend { later = [:] }
            if let target = event.target { later[ExactText(target)] = event.action }
            if !isObsolete {
                kept.append(message)
            } else if event.news != nil || message.id == last.id {
                kept.append(try LiveMessage(message.id, LiveEvent(.seen, news: event.news)))
            }
        }
        return kept.reversed()
    }
}

extension LiveEvent {
    /// Whether another event for its element follows that leaves nothing of it.
    fileprivate func isObsolete(before later: [ExactText: Action]) -> Bool {
        guard let target, let next = later[ExactText(target)] else { return false }
        switch (action, next) {
        case (.patch, .patch), (.patch, .replace), (.patch, .remove), (.replace, .replace), (.replace, .remove):
            return true
        default: return false
        }
    }
}

/// The viewer may not see the page any more, or nobody has been able to tell for too long. The stream ends, and whoever
/// opens it again is asked anew.
struct LiveRightLost: Error {}
