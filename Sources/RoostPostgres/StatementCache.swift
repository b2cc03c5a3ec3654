import Roost

/// The statements that a connection has prepared: the ones used last, up to a limit.
struct StatementCache: ~Copyable {
    /// A statement that the server knows by name.
    final class Entry {
        let name: String
        /// The name as C takes it.
        let cName: [CChar]
        let text: String
        var columns: ResultColumns?
        /// Whether it was quick the last time.
        var isQuick = false
        fileprivate var lastUse = 0

        init(name: String, text: String) {
            self.name = name
            cName = Array(name.utf8CString)
            self.text = text
        }
    }

    let capacity: Int
    private var entries: [ExactText: Entry] = [:]
    /// The one that was asked for last, and probably will be again: to compare texts costs less than to hash one.
    private var last: Entry?
    private var uses = 0
    private var names = 0

    init(capacity: Int) { self.capacity = max(0, capacity) }

    /// The prepared statement with a text, if there is one.
    mutating func find(_ text: String) -> Entry? {
        if last.map({ ExactText($0.text) != ExactText(text) }) ?? true { last = entries[ExactText(text)] }
        guard let last else { return nil }
        uses += 1
        last.lastUse = uses
        return last
    }

    /// A name that no statement of the connection has used before.
    mutating func newName() -> String {
        names += 1
        return "roost\(names)"
    }

    mutating func insert(_ entry: Entry) {
        uses += 1
        entry.lastUse = uses
        entries[ExactText(entry.text)] = entry
    }

    mutating func remove(_ entry: Entry) {
        entries[ExactText(entry.text)] = nil
        last = nil
    }

    mutating func removeAll() {
        entries = [:]
        last = nil
    }

    /// Whether there is room for one more.
    var hasRoom: Bool { entries.count < capacity }

    /// Removes the statement that must make room for another; nil while there is room. The caller tells the server.
    mutating func evict() -> Entry? {
        guard !hasRoom, let oldest = entries.values.min(by: { $0.lastUse < $1.lastUse }) else {
            return nil
        }
        remove(oldest)
        return oldest
    }
}
