import Roost

/// The statements that a connection has prepared: the ones used last, up to a limit.
struct StatementCache: ~Copyable {
    /// A statement that the server knows by name.
    final class Entry {
        let name: String
        /// The name as C takes it.
        let cName: [CChar]
        fileprivate let text: ExactText
        var columns: ResultColumns?
        /// Whether it was quick the last time.
        var isQuick = false

        init(name: String, text: String) {
            self.name = name
            cName = Array(name.utf8CString)
            self.text = ExactText(text)
        }
    }

    let capacity: Int
    /// The statements, the one that was used last first: so the few that are used all the time are found at once. The
    /// lengths of their texts lie beside them, and most differ, so a search through all of them is short, too.
    private var entries: [(length: Int, entry: Entry)] = []
    private var names = 0

    init(capacity: Int) { self.capacity = max(0, capacity) }

    /// The prepared statement with a text, if there is one.
    mutating func find(_ text: String) -> Entry? {
        let (length, text) = (text.utf8.count, ExactText(text))
        let place = entries.firstIndex { $0.length == length && $0.entry.text == text }
        guard let index = place else { return nil }
        if index > 0 { entries.insert(entries.remove(at: index), at: 0) }
        return entries[0].entry
    }

    /// A name that no statement of the connection has used before.
    mutating func newName() -> String {
        names += 1
        return "roost\(names)"
    }

    mutating func insert(_ entry: Entry) { entries.insert((entry.text.text.utf8.count, entry), at: 0) }

    mutating func remove(_ entry: Entry) { entries.removeAll { $0.entry === entry } }

    /// Forgets a statement that the server still has: it is the first to make room for another.
    mutating func retire(_ text: String) {
        guard let entry = find(text) else { return }
        remove(entry)
        // No text has this length.
        entries.append((-1, entry))
    }

    mutating func removeAll() { entries = [] }

    /// Whether there is room for one more.
    var hasRoom: Bool { entries.count < capacity }

    /// Removes the statement that must make room for another; nil while there is room. The caller tells the server.
    mutating func evict() -> Entry? { hasRoom ? nil : entries.popLast()?.entry }
}
