import FoundationEssentials

extension JSONCoder {
    /// The value that a JSON text stands for.
    /// - Throws: ``JSONSyntaxError`` for a text that is not JSON (a 400), ``JSONDecodingError`` for JSON that the
    ///   type cannot be made of (a 422); whatever else the type's own `init(from:)` throws.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from bytes: [UInt8]) throws -> Value {
        try bytes.withUnsafeBufferPointer { try decode(type, from: $0) }
    }

    /// As ``decode(_:from:)`` does, from bytes that stay where they are.
    func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from bytes: UnsafeBufferPointer<UInt8>
    ) throws -> Value {
        try check(bytes)
        do { return try decoder.decode(type, from: Data(bytes)) } catch let error as DecodingError {
            if case .dataCorrupted(let context) = error, context.codingPath.isEmpty,
                let failed = JSONTrace.failure(of: type, in: bytes, by: decoder),
                let unfit = JSONDecodingError(unfit: failed.type, at: failed.path, in: bytes, by: self)
            {
                throw unfit
            }
            throw JSONDecodingError(error, in: bytes, by: self)
        }
    }

    /// Checks that bytes are one JSON text that every parser understands in the same way.
    ///
    /// That is the grammar, UTF-8 without a byte order mark, paired surrogates, no name twice in an object, and no
    /// more than ``maximumDepth``, ``maximumMembers`` and ``maximumValues`` allow (RFC 8259, RFC 7493 §2). Names that
    /// differ only in how their letters are composed are one, since one value of two would be lost.
    /// - Throws: ``JSONSyntaxError``.
    public func check(_ bytes: [UInt8]) throws(JSONSyntaxError) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(JSONSyntaxError) in try check(bytes) }
    }

    /// As ``check(_:)`` does, of bytes that stay where they are.
    func check(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) {
        var scanner = JSONScanner(
            bytes, maximumDepth: maximumDepth, maximumMembers: maximumMembers, maximumValues: maximumValues)
        try scanner.scan()
    }

    private var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.userInfo = userInfo
        if case .snakeCase = keys { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        switch dates {
        case .iso8601, .iso8601WithMilliseconds: decoder.dateDecodingStrategy = .custom(Self.date)
        case .secondsSince1970: decoder.dateDecodingStrategy = .secondsSince1970
        case .millisecondsSince1970: decoder.dateDecodingStrategy = .millisecondsSince1970
        }
        if case .strings = floats {
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        }
        return decoder
    }

    /// As the decoder's own strategy, whose error does not say where.
    @Sendable private static func date(from decoder: any Decoder) throws -> Date {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = try? Date(text, strategy: .iso8601) else {
            let reason = "Expected \(JSONDecodingError.date)."
            throw DecodingError.dataCorruptedError(in: container, debugDescription: reason)
        }
        return date
    }
}
