/// A path as a value: a pattern, and the types of its parameters. Requests are matched with it and URLs built from it.
///
///     static let all = Path("/users")
///     static let one = Path("/users/{id}", Int.self)
///     one.url(3)                                        // "/users/3"
///
/// A pattern looks like a URI Template of level 1 (RFC 6570 §1.2). Each segment is a literal, or has one parameter with
/// text around it, as in `/users/{id}.json`. A literal is percent-decoded (`/a%2Fb`), and may have other characters
/// as they are (`/größe`).
///
/// The type of a parameter takes part in matching: `/users/x` is unknown to `Path("/users/{id}", Int.self)`, so that
/// another path may know it, and it is a 404 when none does. ``RemainingPath`` takes all segments that are left.
public struct Path<each Parameter: PathParameter>: Sendable {
    @usableFromInline
    let segments: [RouteSegment]
    /// What is wrong with the pattern, which ends the start when the path is routed.
    let mistake: String?

    /// A path of a pattern, which begins with a slash, and of the types of its parameters in their order.
    ///
    /// A pattern that is malformed, or has another number of parameters than there are types, is a
    /// ``StartError`` when a route is declared with it.
    public init(_ pattern: String, _ parameters: repeat (each Parameter).Type) {
        var kinds: [ParameterKind] = []
        repeat kinds.append(ParameterKind(each parameters))
        var pattern = PathPattern(pattern, kinds)
        segments = pattern.parse()
        mistake = pattern.mistake
    }

    init(segments: [RouteSegment], mistake: String?) {
        self.segments = segments
        self.mistake = mistake
    }

    /// This path with a pattern without parameters after it.
    ///
    ///     static let removal = one.appending("/delete")                         // removal.url(3) == "/users/3/delete"
    public func appending(_ pattern: String) -> Path {
        let path = FixedPath(pattern)
        return Path(segments: segments + path.segments, mistake: mistake ?? path.mistake)
    }

    /// This path with another after it: the first's parameters come first.
    ///
    ///     static let post = one.appending(Path("/posts/{post}", Int.self))     // post.url(3, 7) == "/users/3/posts/7"
    ///
    /// A path with parameters is made in a declaration of its own, as here: inside the call that routes it, the
    /// compiler does not find its type.
    public func appending<each More>(_ path: Path<repeat each More>) -> Path<repeat each Parameter, repeat each More> {
        Path<repeat each Parameter, repeat each More>(
            segments: segments + path.segments,
            mistake: mistake ?? path.mistake
        )
    }

    /// The URL of this path with values for its parameters, percent-encoded.
    ///
    /// A text that is empty, `.` or `..` has no URL that leads back: such segments are none (RFC 3986 §5.2.4).
    public func url(_ values: repeat each Parameter) -> String {
        var texts: [String] = []
        repeat texts.append((each values).encodedSegment)
        return segments.isEmpty ? "/" : segments.reduce(into: "") { $0 += "/" + $1.url(&texts) }
    }
}

// With the space, or the brackets would be an operator.
// swift-format-ignore
/// A path without parameters, such as the prefix of most groups.
public typealias FixedPath = Path< >

extension Path: CustomStringConvertible {
    /// The pattern: `/users/{id}`.
    public var description: String { segments.pattern }
}
