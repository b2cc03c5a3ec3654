/// A media type or a range of them, with its parameters (RFC 9110 §8.3.1).
///
///     media-type = type "/" subtype parameters
///     parameters = *( OWS ";" OWS [ parameter ] )
///     parameter  = token "=" ( token / quoted-string )
public struct MediaType: Sendable, Hashable {
    /// The most parameters that are read; a type with more is malformed. The registered types have at most three.
    static let maximumParameters = 32

    /// The type, in lower case: `text`.
    public let type: String
    /// The subtype, in lower case: `html`.
    public let subtype: String
    /// The parameters, names in lower case, values without their quotes; when a name comes twice, the first one counts.
    public let parameters: [String: String]

    /// A media type without parameters, in lower case: `MediaType("text", "csv")`.
    public init(_ type: String, _ subtype: String) {
        self.type = type
        self.subtype = subtype
        parameters = [:]
    }

    /// The value of a `Content-Type` field, or one range of an `Accept` field; nil when it is malformed, or has more
    /// than 32 parameters.
    public init?(_ text: some StringProtocol) {
        var text = String(text)
        guard let media = text.withUTF8({ MediaType(bytes: $0) }) else { return nil }
        self = media
    }

    /// - Parameter hasParameters: Whether its parameters are read; not needed where only the type matters.
    init?(bytes: UnsafeBufferPointer<UInt8>, hasParameters: Bool = true) {
        var parts = DelimitedParts(bytes)
        guard let essence = parts.next(before: UInt8(ascii: ";")), let names = Names(essence) else { return nil }
        type = names.type.lowercasedToken()
        subtype = names.subtype.lowercasedToken()
        var parameters: [String: String] = [:]
        var count = 0
        while hasParameters, let part = parts.nextPresent(before: UInt8(ascii: ";")) {
            guard let parameter = Parameter(part) else { continue }
            count += 1
            guard count <= Self.maximumParameters else { return nil }
            let name = parameter.name.lowercasedToken()
            if parameters[name] == nil { parameters[name] = parameter.value.unquotedText() }
        }
        self.parameters = parameters
    }

    /// `application/json`
    public static let json = MediaType("application", "json")
    /// `text/html`
    public static let html = MediaType("text", "html")
    /// `text/plain`
    public static let text = MediaType("text", "plain")
    /// `text/csv` (RFC 4180)
    public static let csv = MediaType("text", "csv")
    /// `application/problem+json` (RFC 9457)
    public static let problem = MediaType("application", "problem+json")

    /// Whether both are the same type, whatever their parameters.
    public func isSame(as other: MediaType) -> Bool { type == other.type && subtype == other.subtype }
}

extension MediaType {
    /// The bytes of a type and a subtype, both tokens.
    struct Names {
        let type: UnsafeBufferPointer<UInt8>
        let subtype: UnsafeBufferPointer<UInt8>

        init?(_ essence: UnsafeBufferPointer<UInt8>) {
            guard let slash = essence.firstOffset(of: UInt8(ascii: "/")) else { return nil }
            type = UnsafeBufferPointer(rebasing: essence[..<slash])
            subtype = UnsafeBufferPointer(rebasing: essence[(slash + 1)...])
            guard type.isToken, subtype.isToken else { return nil }
        }
    }

    /// The bytes of a parameter's name, a token, and of its value.
    struct Parameter {
        let name: UnsafeBufferPointer<UInt8>
        let value: UnsafeBufferPointer<UInt8>

        @inline(__always)
        init?(_ part: UnsafeBufferPointer<UInt8>) {
            guard let equals = part.firstOffset(of: UInt8(ascii: "=")) else { return nil }
            name = UnsafeBufferPointer(rebasing: part[..<equals]).trimmingBlanks()
            value = UnsafeBufferPointer(rebasing: part[(equals + 1)...]).trimmingBlanks()
            guard name.isToken else { return nil }
        }
    }
}
