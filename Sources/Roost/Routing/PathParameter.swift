public import FoundationEssentials

/// A type that a segment of a path can be.
///
/// Types that are made from a text and give it back (`LosslessStringConvertible`), and enumerations with texts as raw
/// values, need nothing but the conformance:
///
///     enum Period: String, PathParameter { case day, week }
public protocol PathParameter: Sendable {
    /// The value of a segment, percent-decoded and not empty; nil for a segment that is not one of this type.
    init?(pathSegment: String)

    /// The segment of this value, not percent-encoded: what leads back to it.
    var pathSegment: String { get }

    /// When this type is tried where several could take a segment; `.value` unless it says otherwise.
    static var precedence: PathPrecedence { get }
}

/// In which order the types are tried that could take the same segment: `/{id}` of a number before `/{name}` of a text.
///
/// Two routes of one method that differ only in types of the same precedence collide.
public enum PathPrecedence: Int, Sendable, Comparable {
    /// Numbers.
    case number
    /// Identifiers of a form that nothing else has, such as `UUID`.
    case identifier
    /// Other types that only some texts are values of: the application's own, as a rule.
    case value
    /// Any text.
    case text
    /// All segments that are left.
    case rest

    /// By the order of the cases.
    public static func < (left: PathPrecedence, right: PathPrecedence) -> Bool { left.rawValue < right.rawValue }
}

extension PathParameter {
    /// Before texts, after numbers and identifiers.
    public static var precedence: PathPrecedence { .value }

    /// The segment as it stands in a URL.
    var encodedSegment: String {
        (self as? RemainingPath)?.encoded ?? PercentEncoding.encoded(pathSegment)
    }
}

extension PathParameter where Self: LosslessStringConvertible {
    /// What `init?(_: String)` makes of it.
    public init?(pathSegment: String) { self.init(pathSegment) }

    /// The description.
    public var pathSegment: String { description }
}

extension PathParameter where Self: RawRepresentable, RawValue == String {
    /// The value whose raw value it is.
    public init?(pathSegment: String) { self.init(rawValue: pathSegment) }

    /// The raw value.
    public var pathSegment: String { rawValue }
}

extension PathParameter where Self: FixedWidthInteger {
    /// A number in its one ordinary spelling: `+3` and `03` are not `3`.
    public init?(pathSegment: String) {
        guard let number = Self(pathSegment), number.description.utf8.elementsEqual(pathSegment.utf8) else {
            return nil
        }
        self = number
    }

    /// Before everything else.
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
    /// After everything narrower.
    public static var precedence: PathPrecedence { .text }
}

extension UUID: PathParameter {
    /// 32 hexadecimal digits in five groups, of either case (RFC 9562 §4).
    public init?(pathSegment: String) { self.init(uuidString: pathSegment) }

    /// In lower case, as it is written out (RFC 9562 §4).
    public var pathSegment: String { uuidString.lowercased() }

    /// After numbers, before the application's own types.
    public static var precedence: PathPrecedence { .identifier }
}
