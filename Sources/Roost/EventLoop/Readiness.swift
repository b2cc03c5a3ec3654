/// The conditions to wait for on a file descriptor.
public struct Readiness: OptionSet, Sendable {
    /// The bits.
    public let rawValue: Int

    /// A set of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// There is something to read, or the end, or an error.
    public static let readable = Readiness(rawValue: 1)
    /// There is room to write, or an error.
    public static let writable = Readiness(rawValue: 2)
}
