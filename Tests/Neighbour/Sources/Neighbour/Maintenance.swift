public import Roost
import Synchronization

/// Responds 503 to everybody while the site is being worked on, except to those from some networks.
///
///     let maintenance = Maintenance(exempting: [IPNetwork("10.0.0.0/8")].compactMap(\.self))
public final class Maintenance: Filter {
    private let exempt: [IPNetwork]
    private let isOn = Atomic(false)

    /// - Parameter networks: Whose clients are served all the same.
    public init(exempting networks: [IPNetwork] = []) { exempt = networks }

    /// Begins or ends the work; callable from any thread.
    public func set(_ isOn: Bool) { self.isOn.store(isOn, ordering: .relaxed) }

    /// Refuses the request while the work goes on.
    /// - Throws: `HTTPError` with 503.
    public func before(_ request: inout Request) throws -> Response? {
        guard isOn.load(ordering: .relaxed) else { return nil }
        if let address = request.clientAddress, exempt.contains(where: { $0.contains(address) }) { return nil }
        throw HTTPError(.serviceUnavailable, "The site is being worked on.", headers: [.retryAfter: "300"])
    }
}
