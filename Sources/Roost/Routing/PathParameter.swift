public import FoundationEssentials

/// A type of a path's parameter.
///
/// Types that convert to and from text (`LosslessStringConvertible`), and enumerations with strings as raw values, need
/// only the conformance:
///
///     enum Period: String, PathParameter { case day, week }
public protocol PathParameter: Sendable {
    /// The value of a segment, which is percent-decoded and not empty; nil if the segment is not a value of this type.
    init?(pathSegment: String)

    /// The segment for this value, not percent-encoded; it must convert back to the value.
    var pathSegment: String { get }

    /// The precedence of this type among those that could take the same segment; `.value` by default.
    static var precedence: PathPrecedence { get }
}

/// The order in which types that could take the same segment are tried: `/{id}` with a number before `/{name}`.
///
/// Two routes of one method that differ only in types of the same precedence collide.
public enum PathPrecedence: Int, Sendable, Comparable {
    /// Numbers.
    case number
    /// Identifiers with an unmistakable form, such as `UUID`.
    case identifier
    /// Other types that accept only some texts, usually the application's own.
    case value
    /// Any text.
    case text
    /// All remaining segments.
    case rest

    /// Compares by the order of the cases.
    public static func < (left: PathPrecedence, right: PathPrecedence) -> Bool { left.rawValue < right.rawValue }
}

extension PathParameter {
    /// The precedence before texts, after numbers and identifiers.
    public static var precedence: PathPrecedence { .value }

    /// The segment as it is written in a URL.
    var encodedSegment: String {
        if Self.self == RemainingPath.self { return unsafeBitCast(self, to: RemainingPath.self).encoded }
        // Most are; digits and a sign stand for themselves.
        if Self.self == Int.self { return unsafeBitCast(self, to: Int.self).description }
        return PercentEncoding.encoded(pathSegment)
    }
}

extension PathParameter where Self: LosslessStringConvertible {
    /// Creates a value by `init?(_: String)`.
    public init?(pathSegment: String) { self.init(pathSegment) }

    /// The value's description.
    public var pathSegment: String { description }
}

extension PathParameter where Self: RawRepresentable, RawValue == String {
    /// Creates a value by its raw value.
    public init?(pathSegment: String) { self.init(rawValue: pathSegment) }

    /// The raw value.
    public var pathSegment: String { rawValue }
}

extension PathParameter where Self: FixedWidthInteger {
    /// Reads a number in its one canonical spelling: `+3` and `03` are not `3`.
    public init?(pathSegment: String) {
        guard let number = Self(pathSegment), number.description.utf8.elementsEqual(pathSegment.utf8) else {
            return nil
        }
        self = number
    }

    /// The precedence before all other types.
    public static var precedence: PathPrecedence { .number }
}

extension Int: PathParameter {}
extension Int8: PathParameter {}
extension Int16: PathParameter {}
extension Int32: PathParameter {}
extension Int64: PathParameter {}
extension UInt: PathParameter {}
extension UInt8: PathParameter {}
extension UInt16: PathParameter {}
extension UInt32: PathParameter {}
extension UInt64: PathParameter {}

extension String: PathParameter {
    /// The precedence after all narrower types.
    public static var precedence: PathPrecedence { .text }
}

extension UUID: PathParameter {
    /// Reads 32 hexadecimal digits in five groups, of either case (RFC 9562 §4).
    public init?(pathSegment: String) { self.init(uuidString: pathSegment) }

    /// The UUID in lower case, as the standard writes it (RFC 9562 §4).
    public var pathSegment: String { uuidString.lowercased() }

    /// The precedence after numbers, before the application's own types.
    public static var precedence: PathPrecedence { .identifier }
}
