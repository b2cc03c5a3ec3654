/// A path as a value: literal segments and typed parameters, from which requests are matched and URLs are built.
///
///     static let one = Path.root / "users" / Int.self
///     one.url(3)                                        // "/users/3"
///
/// A segment that is no value of its parameter's type makes the path unknown: `/users/x` is a 404.
public struct Path<Parameters>: Sendable {
    @usableFromInline
    let segments: [RouteSegment]

    /// The URL of this path with values for its parameters, percent-encoded.
    ///
    /// A text that is empty, `.` or `..` has no URL that leads back: such segments are none (RFC 3986 §5.2.4).
    public func url<each Parameter: PathParameter>(_ values: repeat each Parameter) -> String
    where Parameters == (repeat each Parameter) {
        var texts: [String] = []
        repeat texts.append((each values).description)
        return url(texts)
    }

    private func url(_ texts: [String]) -> String {
        var texts = texts[...]
        var url = ""
        for segment in segments {
            switch segment {
            case .literal(let text): url += "/" + PercentEncoding.encoded(text)
            case .parameter: url += "/" + PercentEncoding.encoded(texts.popFirst() ?? "")
            }
        }
        return url.isEmpty ? "/" : url
    }
}

extension Path where Parameters == Void {
    /// `/`, where every path begins.
    public static var root: Path<Void> { Path<Void>(segments: []) }
}

/// A type that a path segment can be: any type that is made from a text and gives that text back.
public protocol PathParameter: LosslessStringConvertible, Sendable {
    /// The value of a segment, percent-decoded and not empty; nil for what is none.
    static func value(ofSegment segment: String) -> Self?
}

extension PathParameter {
    /// What `init?(_: String)` makes of it.
    public static func value(ofSegment segment: String) -> Self? { Self(segment) }
}

extension PathParameter where Self: FixedWidthInteger {
    /// A number in its one ordinary spelling: `+3` and `03` are not `3`.
    public static func value(ofSegment segment: String) -> Self? {
        guard let number = Self(segment), number.description == segment else { return nil }
        return number
    }
}

extension Int: PathParameter {}
extension Int64: PathParameter {}
extension UInt: PathParameter {}
extension UInt64: PathParameter {}
extension String: PathParameter {}

/// What paths of any parameters have in common.
///
/// The operator below is generic over this, not over the parameters: so the compiler finds a path that ends in a
/// literal where `routes.get(…)` takes one, also when it has exactly one parameter.
public protocol PathProtocol: Sendable {
    /// The path with one more literal segment.
    func appending(literal: String) -> Self
}

extension Path: PathProtocol {
    /// The path with one more literal segment; a slash in it is part of the segment.
    public func appending(literal: String) -> Path { Path(segments: segments + [.literal(literal)]) }
}

/// The path with one more literal segment.
public func / <SomePath: PathProtocol>(path: SomePath, literal: String) -> SomePath {
    path.appending(literal: literal)
}

/// The path with its first parameter.
public func / <A: PathParameter>(path: Path<Void>, parameter: A.Type) -> Path<A> {
    Path(segments: path.segments + [.parameter])
}

/// The path with a second parameter.
public func / <A: PathParameter, B: PathParameter>(path: Path<A>, parameter: B.Type) -> Path<(A, B)> {
    Path(segments: path.segments + [.parameter])
}

/// The path with a third parameter.
public func / <A: PathParameter, B: PathParameter, C: PathParameter>(
    path: Path<(A, B)>,
    parameter: C.Type
) -> Path<(A, B, C)> {
    Path(segments: path.segments + [.parameter])
}

/// The path with a fourth parameter.
public func / <A: PathParameter, B: PathParameter, C: PathParameter, D: PathParameter>(
    path: Path<(A, B, C)>,
    parameter: D.Type
) -> Path<(A, B, C, D)> {
    Path(segments: path.segments + [.parameter])
}
