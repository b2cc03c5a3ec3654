/// Origins of pages: scheme, host and port, as browsers write them (RFC 6454 §6.2): `https://app.example.com`.
///
/// An origin that a person writes is taken for the one that browsers send: in small letters, without a slash at its
/// end, and without the port that is the scheme's own.
struct PageOrigins: Sendable {
    private let texts: Set<[UInt8]>

    init(_ origins: some Sequence<String>) { texts = Set(origins.map { Self.normal($0.utf8) }) }

    /// Whether a browser's `Origin` is one of them.
    func contains(_ origin: String) -> Bool { !texts.isEmpty && texts.contains(Array(origin.utf8)) }

    /// The mistake in the first of some origins that no browser sends, as a sentence; nil if browsers send them all.
    static func mistake(in origins: some Sequence<String>) -> String? {
        origins.first { !isSent(normal($0.utf8)) }.map {
            "\"\($0)\" is no origin: write scheme, host and port, such as \"https://app.example.com\"."
        }
    }

    /// Whether browsers send an origin: `null`, or a scheme and a host, with nothing behind them but a port.
    private static func isSent(_ origin: [UInt8]) -> Bool {
        // `https:`, nothing, and `app.example.com`.
        let parts = origin.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 3 else { return origin.elementsEqual("null".utf8) }
        return parts[0].count > 1 && parts[0].last == UInt8(ascii: ":") && parts[1].isEmpty && !parts[2].isEmpty
            && origin.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"*@?#".utf8.contains($0) }
    }

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
