/// A media type or a range of them, with its parameters (RFC 9110 §8.3.1).
///
///     media-type = type "/" subtype parameters
public struct MediaType: Sendable, Hashable {
    /// The type, in lower case: `text`.
    public let type: String
    /// The subtype, in lower case: `html`.
    public let subtype: String
    /// The parameters, names in lower case, values without their quotes; of two with one name the first.
    public let parameters: [String: String]

    /// A media type without parameters, in lower case.
    init(_ type: String, _ subtype: String) {
        self.type = type
        self.subtype = subtype
        parameters = [:]
    }

    /// The value of a `Content-Type` field, or one range of an `Accept` field; nil when it is malformed.
    public init?(_ text: some StringProtocol) {
        let parts = text.splitOutsideQuotes(at: UInt8(ascii: ";"))
        let names = parts[0].trimmingBlanks().split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2, names.allSatisfy(\.isToken) else { return nil }
        type = names[0].lowercased()
        subtype = names[1].lowercased()
        var parameters: [String: String] = [:]
        for part in parts.dropFirst() {
            guard let equals = part.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let token = part[..<equals].trimmingBlanks()
            let name = token.lowercased()
            // Before it is in lower case: the Kelvin sign, which is in no token, becomes a `k`.
            guard token.isToken, parameters[name] == nil else { continue }
            parameters[name] = part[part.utf8.index(after: equals)...].trimmingBlanks().unquoted()
        }
        self.parameters = parameters
    }

    /// `application/json`
    public static let json = MediaType("application", "json")
    /// `text/html`
    public static let html = MediaType("text", "html")
    /// `text/plain`
    public static let text = MediaType("text", "plain")
    /// `application/x-www-form-urlencoded`
    public static let form = MediaType("application", "x-www-form-urlencoded")
    /// `application/problem+json` (RFC 9457)
    public static let problem = MediaType("application", "problem+json")

    /// Whether both name the same type, whatever their parameters.
    public func isSame(as other: MediaType) -> Bool { type == other.type && subtype == other.subtype }
}

// Bytes are looked at, not characters, as everyone else on the way does. A `Character` that is equal to a semicolon can
// be another letter (U+037E), and a combining mark behind a semicolon makes it unequal.

extension StringProtocol {
    /// Parts between separators that stand outside quoted strings (RFC 9110 §5.6.4).
    func splitOutsideQuotes(at separator: UInt8) -> [SubSequence] {
        var inQuotes = false
        var escaped = false
        let parts = utf8.split(omittingEmptySubsequences: false) { byte in
            if escaped {
                escaped = false
            } else if byte == UInt8(ascii: "\\") {
                escaped = inQuotes
            } else if byte == UInt8(ascii: "\"") {
                inQuotes.toggle()
            }
            return byte == separator && !inQuotes
        }
        return parts.map { self[$0.startIndex..<$0.endIndex] }
    }

    /// Without spaces and tabs around it.
    func trimmingBlanks() -> SubSequence {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start = utf8.firstIndex { !isBlank($0) } ?? endIndex
        var end = start
        for index in utf8[start...].indices where !isBlank(utf8[index]) { end = utf8.index(after: index) }
        return self[start..<end]
    }

    /// A quoted string's content, anything else as it is.
    func unquoted() -> String {
        let bytes = Array(utf8)
        let quote = UInt8(ascii: "\"")
        guard bytes.count >= 2, bytes.first == quote, bytes.last == quote else { return String(self) }
        var escaped = false
        let content = bytes.dropFirst().dropLast().filter { byte in
            let isKept = byte != UInt8(ascii: "\\") || escaped
            escaped = !isKept
            return isKept
        }
        return String(decoding: content, as: UTF8.self)
    }

    /// Whether it is a `token` (RFC 9110 §5.6.2).
    var isToken: Bool { !isEmpty && utf8.allSatisfy(ByteSet.token.contains) }
}
