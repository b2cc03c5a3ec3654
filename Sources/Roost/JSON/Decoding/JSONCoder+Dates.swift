import FoundationEssentials

/// The decoding of dates. Those of a client are taken only if databases have them, too: of the years 1 to 9999. They
/// would be a fault of the server otherwise, once a handler stores them.
extension JSONCoder {
    /// The decoder's strategy. Its own `.iso8601` takes days that do not exist for others.
    func dateDecoding(isFromClient: Bool) -> JSONDecoder.DateDecodingStrategy {
        switch dates {
        case .iso8601, .iso8601WithMilliseconds:
            isFromClient
                ? .custom { try Self.date(from: $0, DateTime.parse(sent:)) }
                : .custom { try Self.date(from: $0, DateTime.parse(_:)) }
        case .secondsSince1970: isFromClient ? .custom { try Self.date(from: $0, unit: 1) } : .secondsSince1970
        case .millisecondsSince1970:
            isFromClient ? .custom { try Self.date(from: $0, unit: 1000) } : .millisecondsSince1970
        }
    }

    private static func date(from decoder: any Decoder, _ parse: (String) -> Date?) throws -> Date {
        let container = try decoder.singleValueContainer()
        guard let date = parse(try container.decode(String.self)) else {
            let reason = "Expected \(JSONDecodingError.date)."
            throw DecodingError.dataCorruptedError(in: container, debugDescription: reason)
        }
        return date
    }

    /// - Parameter unit: The number of units in a second.
    private static func date(from decoder: any Decoder, unit: Double) throws -> Date {
        let container = try decoder.singleValueContainer()
        let seconds = try container.decode(Double.self) / unit
        guard DateTime.inDatabases.contains(seconds) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: JSONDecodingError.outOfRange)
        }
        return Date(timeIntervalSince1970: seconds)
    }
}
