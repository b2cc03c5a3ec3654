/// The events that a client is not sent. It must learn how far it is nevertheless: otherwise it comes back with an old
/// id, looks through everything since then again, and gets `reset` once that is no longer kept.
///
/// An event without data, with an id alone, sets a client's last id and is not seen by scripts (WHATWG HTML, 9.2.6).
/// One is sent together with events that are sent, and after this many that are not.
struct SkippedEvents {
    private let most: Int
    private var count = 0
    private var lastID: Int?

    /// - Parameter capacity: The maximum number of events that the topic keeps.
    init(capacity: Int) { most = min(100, max(1, capacity / 2)) }

    /// An event has its turn.
    mutating func pass(_ id: Int, isSent: Bool) {
        // The id of one that is sent tells about those before it.
        if isSent { (count, lastID) = (0, nil) } else { (count, lastID) = (count + 1, id) }
    }

    /// Returns the last skipped id, if the client is to be told now; nil most of the time.
    mutating func idToTell(withEvents: Bool) -> Int? {
        guard let lastID, withEvents || count >= most else { return nil }
        (count, self.lastID) = (0, nil)
        return lastID
    }

    /// Returns the event with the last skipped id, if it is to be sent now; empty most of the time.
    mutating func idToSend(withEvents: Bool) -> [UInt8] {
        idToTell(withEvents: withEvents).map { Array("id: \($0)\n\n".utf8) } ?? []
    }
}
