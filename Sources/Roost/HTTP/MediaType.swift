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
        let parts = text.splitOutsideQuotes(at: ";")
        let names = parts[0].trimmingBlanks().split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2, names.allSatisfy(\.isToken) else { return nil }
        type = names[0].lowercased()
        subtype = names[1].lowercased()
        var parameters: [String: String] = [:]
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = pair[0].trimmingBlanks().lowercased()
            guard pair.count == 2, name.isToken, parameters[name] == nil else { continue }
            parameters[name] = pair[1].trimmingBlanks().unquoted()
        }
        self.parameters = parameters
    }

    /// `application/json`
    public static let json = MediaType("application", "json")
    /// `text/html`
    public static let html = MediaType("text", "html")
    /// `application/x-www-form-urlencoded`
    public static let form = MediaType("application", "x-www-form-urlencoded")
    /// `application/problem+json` (RFC 9457)
    public static let problem = MediaType("application", "problem+json")

    /// Whether both name the same type, whatever their parameters.
    public func isSame(as other: MediaType) -> Bool { type == other.type && subtype == other.subtype }
}

extension StringProtocol {
    /// Parts between separators that stand outside quoted strings (RFC 9110 §5.6.4).
    func splitOutsideQuotes(at separator: Character) -> [SubSequence] {
        var inQuotes = false
        var escaped = false
        return split(omittingEmptySubsequences: false) { character in
            if escaped {
                escaped = false
            } else if character == "\\" {
                escaped = inQuotes
            } else if character == "\"" {
                inQuotes.toggle()
            }
            return character == separator && !inQuotes
        }
    }

    /// Without spaces and tabs around it.
    func trimmingBlanks() -> SubSequence {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
            return self[endIndex...]
        }
        return self[first...last]
    }

    /// A quoted string's content, anything else as it is.
    func unquoted() -> String {
        guard count >= 2, first == "\"", last == "\"" else { return String(self) }
        var escaped = false
        return String(
            dropFirst().dropLast().filter { character in
                defer { escaped = character == "\\" && !escaped }
                return character != "\\" || escaped
            }
        )
    }

    /// Whether it is a `token` (RFC 9110 §5.6.2).
    var isToken: Bool { !isEmpty && utf8.allSatisfy(ByteSet.token.contains) }
}
