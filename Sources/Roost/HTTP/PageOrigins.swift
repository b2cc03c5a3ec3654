/// Origins of pages: scheme, host and port, as browsers write them (RFC 6454 §6.2): `https://app.example.com`.
///
/// An origin that a person writes is taken for the one that browsers send: in small letters, without a slash at its
/// end, and without the port that is the scheme's own.
struct PageOrigins: Sendable {
    private let texts: Set<[UInt8]>

    init(_ origins: some Sequence<String>) { texts = Set(origins.map { Self.normal($0.utf8) }) }

    /// Whether a browser's `Origin` is one of them.
    func contains(_ origin: String) -> Bool { !texts.isEmpty && texts.contains(Array(origin.utf8)) }

    private static func normal(_ origin: String.UTF8View) -> [UInt8] {
        var bytes = origin.map(\.lowercased)
        if bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        for (scheme, port) in [("https://", ":443"), ("http://", ":80")]
        where bytes.starts(with: scheme.utf8) && bytes.reversed().starts(with: port.utf8.reversed()) {
            bytes.removeLast(port.utf8.count)
        }
        return bytes
    }
}
