import Synchronization

/// The calls that roles received during one interaction, in order.
///
/// Every function of a role begins with ``trace(_:file:)``, which notes the role, by the name of its file, and the
/// function. Outside an interaction it does nothing.
package final class Trace: Sendable {
    /// The trace of the interaction that this task is part of.
    @TaskLocal package static var current: Trace?

    /// The most calls that are kept.
    private static let maximumCount = 64

    private let notes = Mutex<[String]>([])

    package init() {}

    /// The calls so far, such as `LoginPresenter.didTapLogin(email:password:)`.
    package var calls: [String] { notes.withLock { $0 } }

    fileprivate func note(_ call: String) {
        notes.withLock { if $0.count < Self.maximumCount { $0.append(call) } }
    }
}

/// Notes that this function of this role has been called.
package func trace(_ function: String = #function, file: String = #fileID) {
    guard let trace = Trace.current else { return }
    let name = file.split(separator: "/").last ?? ""
    trace.note("\(name.prefix { $0 != "." }).\(function)")
}
