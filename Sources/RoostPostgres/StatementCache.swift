import Roost

/// The statements that a connection has prepared: those used last, up to a number.
struct StatementCache: ~Copyable {
    /// A statement that the server knows by a name.
    final class Entry {
        let name: String
        let text: String
        var columns: ResultColumns?
        fileprivate var lastUse = 0

        init(name: String, text: String) {
            self.name = name
            self.text = text
        }
    }

    let capacity: Int
    private var entries: [ExactText: Entry] = [:]
    private var uses = 0
    private var names = 0

    init(capacity: Int) { self.capacity = max(0, capacity) }

    /// The statement with a text, if it is prepared.
    mutating func find(_ text: String) -> Entry? {
        guard let entry = entries[ExactText(text)] else { return nil }
        uses += 1
        entry.lastUse = uses
        return entry
    }

    /// A name that no statement of the connection has had.
    mutating func newName() -> String {
        names += 1
        return "roost\(names)"
    }

    mutating func insert(_ entry: Entry) {
        uses += 1
        entry.lastUse = uses
        entries[ExactText(entry.text)] = entry
    }

    mutating func remove(_ entry: Entry) { entries[ExactText(entry.text)] = nil }

    mutating func removeAll() { entries = [:] }

    /// Whether one more fits.
    var hasRoom: Bool { entries.count < capacity }

    /// The one that must go before another comes; nil while there is room. Removed here; the server is yet to be told.
    mutating func evict() -> Entry? {
        guard !hasRoom, let oldest = entries.values.min(by: { $0.lastUse < $1.lastUse }) else {
            return nil
        }
        entries[ExactText(oldest.text)] = nil
        return oldest
    }
}
