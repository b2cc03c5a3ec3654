/// A path on this site that is safe to redirect to: one from a visitor (`?next=/users`) cannot lead to another site.
///
/// Browsers take `//other.example` and `/\other.example` for other sites, and drop tabs and line breaks first; so texts
/// with any of these are refused.
public struct LocalPath: Sendable, Equatable {
    /// The path, with its query if it has one.
    public let text: String

    /// Makes a path; nil for a text that is not a path on this site.
    public init?(_ text: String) {
        var text = text
        let isSafe = text.withUTF8 { bytes in
            bytes.first == UInt8(ascii: "/") && bytes.dropFirst().first != UInt8(ascii: "/")
                && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != 0x5C }
        }
        guard isSafe else { return nil }
        self.text = text
    }
}
