import Synchronization

/// The types as which handlers have decoded parts of one request, for those who compare them with a description.
final class DecodedTypes: Sendable {
    enum Key: RequestKey { typealias Value = DecodedTypes }

    /// One type, and whether it was decoded from the query.
    struct Entry: Sendable {
        let type: any Any.Type
        let isQuery: Bool
    }

    private let entries = Mutex<[Entry]>([])

    var all: [Entry] { entries.withLock { $0 } }

    func note(_ type: any Any.Type, isQuery: Bool = false) {
        entries.withLock { $0.append(Entry(type: type, isQuery: isQuery)) }
    }
}
