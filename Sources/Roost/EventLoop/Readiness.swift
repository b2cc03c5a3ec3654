internal import CLibevent

/// The conditions to wait for on a file descriptor.
public struct Readiness: OptionSet, Sendable {
    /// The bits, as libevent has them.
    public let rawValue: Int

    /// A set of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Readiness for reading: there are bytes, the end, or an error.
    public static let readable = Readiness(rawValue: 2)
    /// Readiness for writing: there is room, or an error.
    public static let writable = Readiness(rawValue: 4)

    /// The conditions among libevent's events.
    init(events: Int16) { self.init(rawValue: Int(events & Int16(EV_READ | EV_WRITE))) }

    /// Libevent's events.
    var events: Int16 { Int16(truncatingIfNeeded: rawValue) & Int16(EV_READ | EV_WRITE) }
}
