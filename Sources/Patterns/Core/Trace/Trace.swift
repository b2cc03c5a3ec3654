import Synchronization

/// The calls that roles received during one interaction, in order.
///
/// Every function of a role begins with ``trace(_:file:)``. That notes the role, which is the name of its file, and the
/// function; it does nothing outside an interaction.
package final class Trace: Sendable {
    /// The trace of the interaction that this task is part of.
    @TaskLocal package static var current: Trace?

    /// The most calls that are kept.
    private static let maximumCount = 64

    private let start = ContinuousClock.now
    private let calls = Mutex<[TracedCall]>([])

    package init() {}

    /// What has been called so far.
    package var all: [TracedCall] { calls.withLock { $0 } }

    fileprivate func note(_ role: Substring, _ function: String) {
        let microseconds = (ContinuousClock.now - start) / .microseconds(1)
        let call = TracedCall(role: String(role), function: function, microseconds: Int(microseconds))
        calls.withLock { if $0.count < Self.maximumCount { $0.append(call) } }
    }
}

/// Notes that this function of this role has been called.
package func trace(_ function: String = #function, file: String = #fileID) {
    guard let trace = Trace.current else { return }
    let name = file.split(separator: "/").last ?? ""
    trace.note(name.prefix { $0 != "." }, function)
}
