import Synchronization

/// The fingerprints of files' contents, and the names in URLs that contain them: `style-9b2c4f01d3e5a678.css` for
/// `style.css`.
///
/// A fingerprint is FNV-1a of the bytes, 64 bits of it: it tells the versions of a file from each other, and no more.
final class AssetFingerprints: Sendable {
    private let known = Mutex<[ExactText: (fingerprint: String, identity: OpenFile.Identity)]>([:])

    private static let digits = Fingerprint.digits

    /// The name of a file with its fingerprint, which is remembered.
    func name(of name: String, _ file: OpenFile) throws -> String {
        let fingerprint = try Self.fingerprint(file)
        known.withLock { $0[ExactText(name)] = (fingerprint, file.identity) }
        let (stem, suffix) = Self.parts(name)
        return "\(stem)-\(fingerprint)\(suffix)"
    }

    /// The file that a name with a fingerprint stands for; nil for a name without one.
    static func parse(_ name: String) -> (name: String, fingerprint: String)? {
        let (stem, suffix) = parts(name)
        let bytes = stem.utf8
        guard bytes.count > digits + 1 else { return nil }
        let fingerprint = bytes.suffix(digits)
        let rest = bytes.dropLast(digits)
        guard rest.last == UInt8(ascii: "-"), fingerprint.allSatisfy(Hexadecimal.isLowercaseDigit) else { return nil }
        return (String(Substring(rest.dropLast())) + suffix, String(Substring(fingerprint)))
    }

    /// Whether a fingerprint is that of a file's content at the start, and the file is still the same.
    func contains(_ fingerprint: String, of name: String, _ file: OpenFile) -> Bool {
        guard let known = known.withLock({ $0[ExactText(name)] }) else { return false }
        return known.fingerprint == fingerprint && known.identity == file.identity
    }

    /// A name before and after the place of the fingerprint: in front of the last dot of its last part.
    private static func parts(_ name: String) -> (stem: String, suffix: String) {
        let start = name.utf8.lastIndex(of: UInt8(ascii: "/")) ?? name.utf8.startIndex
        guard let dot = name.utf8[start...].lastIndex(of: UInt8(ascii: ".")) else { return (name, "") }
        return (String(name.utf8[..<dot]) ?? name, String(name.utf8[dot...]) ?? "")
    }

    private static func fingerprint(_ file: OpenFile) throws -> String {
        var fingerprint = Fingerprint()
        for start in stride(from: 0, to: file.size, by: OpenFile.pieceSize) {
            let range = start..<min(file.size, start + OpenFile.pieceSize)
            try OpenFile.bytes(range, of: file.descriptor).withUnsafeBufferPointer { fingerprint.add($0) }
        }
        return fingerprint.text
    }
}
