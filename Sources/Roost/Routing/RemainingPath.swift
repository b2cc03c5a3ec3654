/// The rest of a path: a last parameter that matches all remaining segments, however many there are.
///
///     static let file = Path("/files/{path}", RemainingPath.self)       // "/files/a/b.txt": segments ["a", "b.txt"]
///
/// `/files/` gives one empty segment, as does `/` for `Path("/{path}", RemainingPath.self)` if no route is `/`.
/// `/files` does not match. Dot segments are resolved before routing (RFC 3986 §5.2.4), but an encoded slash stays
/// within its segment: code that opens files by these segments must check each one.
public struct RemainingPath: PathParameter, Equatable {
    /// The segments, percent-decoded.
    public let segments: [String]

    /// Creates a path of these segments, not percent-encoded.
    public init(_ segments: [String]) { self.segments = segments }

    /// Creates a path of the segments between slashes.
    public init(pathSegment: String) {
        let parts = pathSegment.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        segments = parts.map { String(Substring($0)) }
    }

    /// The segments of the bytes of a URL.
    init(encoded: UnsafeBufferPointer<UInt8>) {
        segments = encoded.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { PercentEncoding.decodedText(UnsafeBufferPointer(rebasing: $0)) }
    }

    /// The segments with slashes between them.
    public var pathSegment: String { segments.joined(separator: "/") }

    /// The path as it is written in a URL.
    var encoded: String { segments.map(PercentEncoding.encoded).joined(separator: "/") }

    /// Compares the bytes of the segments.
    public static func == (left: RemainingPath, right: RemainingPath) -> Bool {
        left.segments.elementsEqual(right.segments) { $0.utf8.elementsEqual($1.utf8) }
    }
}

extension RemainingPath: Described {
    /// The schema in the API's description: a text with slashes between the segments.
    public static let schema: JSONValue? = ["type": "string", "format": "path"]
    /// A path of two segments.
    public static let example = RemainingPath(["a", "b.txt"])
}
