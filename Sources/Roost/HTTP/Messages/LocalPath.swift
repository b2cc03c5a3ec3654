/// A path on this site, safe to redirect to: what a visitor brings along (`?next=/users`) cannot lead elsewhere.
///
/// `//other.example` and `/\other.example` are other sites to a browser, and it drops tabs and line breaks before it
/// looks; none of them is local.
public struct LocalPath: Sendable, Equatable {
    /// The path, with its query if it has one.
    public let text: String

    /// Nil for what is no path on this site.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.first == UInt8(ascii: "/"), bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != 0x5C }) else {
            return nil
        }
        if bytes.dropFirst().first == UInt8(ascii: "/") { return nil }
        self.text = text
    }
}
