/// A path as a value: a pattern, and the types of its parameters. It matches requests and builds URLs.
///
///     static let all = Path("/users")
///     static let one = Path("/users/{id}", Int.self)
///     one.url(3)                                        // "/users/3"
///
/// A pattern looks like a URI Template of level 1 (RFC 6570 §1.2). Each segment is a literal, or has one parameter,
/// which may have text around it, as in `/users/{id}.json`. A literal is percent-decoded (`/a%2Fb`), and may contain
/// other characters unencoded (`/größe`).
///
/// The type of a parameter takes part in matching: `Path("/users/{id}", Int.self)` does not match `/users/x`. Another
/// path may match that; if none does, the response is 404. ``RemainingPath`` matches all remaining segments.
public struct Path<each Parameter: PathParameter>: Sendable {
    @usableFromInline
    let segments: [RouteSegment]
    /// The literal text before each parameter of a URL, and after the last: all that can be made before there are
    /// values.
    private let texts: [String]
    /// The mistake in the pattern, if there is one; it stops the start when the path is routed.
    let mistake: String?

    /// Creates a path from a pattern, which begins with a slash, and the types of its parameters, in order.
    ///
    /// If the pattern is malformed, or does not have one parameter for each type, a route with this path stops the
    /// start with a ``StartError``.
    public init(_ pattern: String, _ parameters: repeat (each Parameter).Type) {
        var kinds: [ParameterKind] = []
        repeat kinds.append(ParameterKind(each parameters))
        var pattern = PathPattern(pattern, kinds)
        self.init(segments: pattern.parse(), mistake: pattern.mistake)
    }

    init(segments: [RouteSegment], mistake: String?) {
        self.segments = segments
        self.mistake = mistake
        texts = segments.texts
    }

    /// Returns this path followed by a pattern without parameters.
    ///
    ///     static let removal = one.appending("/delete")                         // removal.url(3) == "/users/3/delete"
    public func appending(_ pattern: String) -> Path {
        let path = FixedPath(pattern)
        return Path(segments: segments + path.segments, mistake: mistake ?? path.mistake)
    }

    /// Returns this path followed by another one: the parameters of this one come first.
    ///
    ///     static let post = one.appending(Path("/posts/{post}", Int.self))     // post.url(3, 7) == "/users/3/posts/7"
    ///
    /// Create a path with parameters in a separate declaration, as here: inside the call that routes it, the compiler
    /// cannot infer its type.
    public func appending<each More>(_ path: Path<repeat each More>) -> Path<repeat each Parameter, repeat each More> {
        Path<repeat each Parameter, repeat each More>(
            segments: segments + path.segments,
            mistake: mistake ?? path.mistake
        )
    }

    /// Returns the URL of this path with values for its parameters, percent-encoded.
    ///
    /// A parameter that is empty, `.` or `..` makes a URL that does not lead back to this path (RFC 3986 §5.2.4).
    public func url(_ values: repeat each Parameter) -> String {
        var url = texts[0]
        var next = 1
        for value in repeat each values {
            guard next < texts.count else { break }
            url += value.encodedSegment
            url += texts[next]
            next += 1
        }
        return url
    }
}

// With the space, because the brackets would be an operator.
// swift-format-ignore
/// A path without parameters, such as the prefix of most groups.
public typealias FixedPath = Path< >

extension Path: CustomStringConvertible {
    /// The pattern: `/users/{id}`.
    public var description: String { segments.pattern }
}
