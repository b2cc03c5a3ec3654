/// A path on this site, safe to redirect to: a path that a visitor brings along (`?next=/users`) cannot lead elsewhere.
///
/// To a browser, `//other.example` and `/\other.example` are other sites, and it drops tabs and line breaks before it
/// looks; none of these is local.
public struct LocalPath: Sendable, Equatable {
    /// The path, with its query if it has one.
    public let text: String

    /// Makes a path; nil for a text that is not a path on this site.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.first == UInt8(ascii: "/"), bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != 0x5C }) else {
            return nil
        }
        if bytes.dropFirst().first == UInt8(ascii: "/") { return nil }
        self.text = text
    }
}
