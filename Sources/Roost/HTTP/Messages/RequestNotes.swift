import Synchronization

/// What is learnt about a request on its way, for those who account for it afterwards: the log, the metrics, traces.
///
/// All copies of a request share it, so that what is learnt deep inside is known outside. A connection has one, which
/// serves its requests one after the other.
final class RequestNotes: Sendable {
    private let pattern = Atomic<UInt>(0)
    private let account = Atomic<Int>(.min)
    private let hasError = Atomic(false)
    private let errorText = Mutex<String?>(nil)
    /// A number that no other request of the process has.
    private let requestNumber = Atomic<UInt64>(0)

    /// Another request begins.
    func begin(_ number: UInt64) {
        pattern.store(0, ordering: .relaxed)
        account.store(.min, ordering: .relaxed)
        if hasError.load(ordering: .relaxed) { error = nil }
        requestNumber.store(number, ordering: .relaxed)
    }

    var number: UInt64 { requestNumber.load(ordering: .relaxed) }

    /// The route that the request has been matched with.
    var route: RoutePattern? {
        get {
            // Patterns are never freed.
            UnsafeRawPointer(bitPattern: pattern.load(ordering: .relaxed))
                .map { Unmanaged<RoutePattern>.fromOpaque($0).takeUnretainedValue() }
        }
        set {
            let address = newValue.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
            pattern.store(address, ordering: .relaxed)
        }
    }

    /// The error that nobody expected, if there was one.
    var error: String? {
        get { hasError.load(ordering: .relaxed) ? errorText.withLock { $0 } : nil }
        set {
            errorText.withLock { $0 = newValue }
            hasError.store(newValue != nil, ordering: .relaxed)
        }
    }

    /// The account that the request acts for.
    var accountID: Int? {
        get {
            let id = account.load(ordering: .relaxed)
            return id == .min ? nil : id
        }
        set { account.store(newValue ?? .min, ordering: .relaxed) }
    }
}
