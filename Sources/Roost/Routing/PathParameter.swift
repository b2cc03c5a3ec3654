public import FoundationEssentials

/// A type that a path's parameter can have.
///
/// Types that convert to and from text (`LosslessStringConvertible`), and enumerations with strings as raw values, need
/// only the conformance:
///
///     enum Period: String, PathParameter { case day, week }
///
/// When several types could match one segment, as in `/{id}` and `/{name}`, they are tried in this order: integers,
/// `UUID`, the application's own types, `String`, ``RemainingPath``. Two routes of one method collide if they differ
/// only in types of the same kind.
public protocol PathParameter: Sendable {
    /// The value of a segment, which is percent-decoded and not empty; nil if the segment is not a value of this type.
    init?(pathSegment: String)

    /// The segment for this value, not percent-encoded; it must convert back to the value.
    var pathSegment: String { get }
}

/// The order in which types that could take the same segment are tried.
enum PathPrecedence: Comparable {
    /// Numbers.
    case number
    /// `UUID`, whose form is unmistakable.
    case identifier
    /// The application's own types.
    case value
    /// Any text.
    case text
    /// All remaining segments.
    case rest

    /// The precedence of a type.
    init(of type: any PathParameter.Type) {
        if type is any FixedWidthInteger.Type {
            self = .number
        } else if type == UUID.self {
            self = .identifier
        } else if type == String.self {
            self = .text
        } else if type == RemainingPath.self {
            self = .rest
        } else {
            self = .value
        }
    }
}

extension PathParameter {
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

extension String: PathParameter {}

extension UUID: PathParameter {
    /// Reads 32 hexadecimal digits in five groups, of either case (RFC 9562 §4).
    public init?(pathSegment: String) { self.init(uuidString: pathSegment) }

    /// The UUID in lower case, as the standard writes it (RFC 9562 §4).
    public var pathSegment: String { uuidString.lowercased() }
}
