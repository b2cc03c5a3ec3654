import HTTPTypes
import Synchronization

/// Facts learnt about a request on its way, for those who account for it afterwards: the log and the metrics.
///
/// All copies of a request share it, so that what is learnt deep inside is known outside. A connection has one, which
/// serves its requests one after the other. A request that is kept beyond its response may still write
/// (``OwnNotes``): that does not count any more.
final class RequestNotes: Sendable {
    private let pattern = Atomic<UInt>(0)
    /// The number of the request that ``details`` are about, if it is the current one.
    private let detailed = Atomic<UInt64>(.max)
    private let details = Mutex(Details())
    /// Whether the client's bytes come encrypted to this server.
    let isEncrypted: Bool
    /// A number that no other request of the process has.
    private let requestNumber = Atomic<UInt64>(0)
    private let startTime = Atomic<UInt64>(0)
    private let observer: (any RouteObserver)?

    struct Details: Sendable {
        /// The error that nobody expected, if there was one.
        var error: String?
        /// The account that the request acts for.
        var accountID: Int?
        /// Whether the client was told that the handler took too long, whatever that still returns.
        var isGivenUp = false
        /// The file that the response stands for, but does not send as it is: it is compressed, or not sent (304).
        var file: File?
    }

    /// The file that a response stands for.
    struct File: Sendable {
        /// Its media type.
        let type: String
        /// Its length in bytes.
        let size: Int
        /// Whether it is in a coding already, such as a compressed copy.
        let isCoded: Bool
    }

    /// - Parameter observer: Learns the routes.
    init(for observer: (any RouteObserver)? = nil, isEncrypted: Bool = false) {
        self.observer = observer
        self.isEncrypted = isEncrypted
    }

    /// Begins another request, which has no route yet.
    /// - Parameter start: The time at which its head was complete, in nanoseconds; 0 when nobody measures.
    func begin(_ number: UInt64, at start: UInt64) {
        pattern.store(0, ordering: .relaxed)
        requestNumber.store(number, ordering: .relaxed)
        startTime.store(start, ordering: .relaxed)
    }

    /// The time at which the head of the current request was complete.
    var start: UInt64 { startTime.load(ordering: .relaxed) }

    /// The number of the current request.
    var number: UInt64 { requestNumber.load(ordering: .relaxed) }

    /// The route that the current request has been matched with.
    var route: RoutePattern? {
        get { RoutePattern.at(pattern.load(ordering: .relaxed)) }
        set {
            pattern.store(RoutePattern.address(of: newValue), ordering: .relaxed)
            observer?.begin(newValue)
        }
    }

    /// Returns the details of a request; nil when it has none, like most.
    func details(of number: UInt64) -> Details? {
        guard detailed.load(ordering: .acquiring) == number else { return nil }
        return details.withLock { detailed.load(ordering: .relaxed) == number ? $0 : nil }
    }

    /// Changes the details of a request, if it is the current one.
    func change(_ number: UInt64, _ body: (inout Details) -> Void) {
        details.withLock { details in
            guard number == self.number else { return }
            if detailed.load(ordering: .relaxed) != number { details = Details() }
            body(&details)
            detailed.store(number, ordering: .releasing)
        }
    }
}

/// The notes of one request. Once its connection has begun another, they are empty, and writing them does nothing.
struct OwnNotes {
    let notes: RequestNotes
    let number: UInt64

    private var isCurrent: Bool { notes.number == number }

    /// Whether the client's bytes come encrypted to this server.
    var isEncrypted: Bool { notes.isEncrypted }

    /// The route that the request has been matched with.
    var route: RoutePattern? {
        get { isCurrent ? notes.route : nil }
        nonmutating set { if isCurrent { notes.route = newValue } }
    }

    /// The error that nobody expected, if there was one.
    var error: String? {
        get { notes.details(of: number)?.error }
        nonmutating set { notes.change(number) { $0.error = newValue } }
    }

    /// The account that the request acts for.
    var accountID: Int? {
        get { notes.details(of: number)?.accountID }
        nonmutating set { notes.change(number) { $0.accountID = newValue } }
    }

    /// Whether the client was told that the handler took too long, whatever that still returns.
    var isGivenUp: Bool { notes.details(of: number)?.isGivenUp ?? false }

    /// The file that the response stands for, but does not send as it is: it is compressed, or not sent (304).
    var file: RequestNotes.File? {
        get { notes.details(of: number)?.file }
        nonmutating set { notes.change(number) { $0.file = newValue } }
    }
}

extension Request {
    /// The pattern of the route that handles the request, such as `/users/{id}`. Middleware around the route can read
    /// it once the route has responded. nil before the router has seen the request, and when no route matches.
    public var route: String? { notes.route.flatMap { $0 === RoutePattern.uncounted ? nil : $0.text } }

    /// Adds the account that the request acts for to its line in the log (`account_id`). `RoostAuth` does so by itself.
    public func log(accountID: Int) { notes.accountID = accountID }

    /// The account that the request acts for; nil if none has been set.
    package var loggedAccountID: Int? { notes.accountID }
}

extension Response {
    /// Whether it stands for a file, which is sent as it is or compressed, or which the client has already (304). An
    /// error on the way out stands for itself.
    func isFile(for request: Request) -> Bool { body.isFile || status.code < 400 && request.notes.file != nil }
}
