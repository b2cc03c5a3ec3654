import FoundationEssentials

/// Decoding, in two steps: a strict scan of the whole text, then FoundationEssentials' decoder.
///
/// The decoder alone would accept texts that parsers read differently. Its errors describe Swift types to a developer;
/// `JSONDecodingError` turns them into a JSON pointer and a reason for the client.
extension JSONCoder {
    /// The value that a JSON text stands for.
    /// - Throws: ``JSONSyntaxError`` for a text that ``check(_:)`` refuses (status 400), ``JSONDecodingError`` for JSON
    ///   that does not fit the type (status 422), and whatever else the type's own `init(from:)` throws.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from bytes: [UInt8]) throws -> Value {
        try bytes.withUnsafeBufferPointer { try decode(type, from: $0) }
    }

    /// Decodes a value from a buffer, as ``decode(_:from:)`` does from bytes.
    /// - Parameter isFromClient: Whether a client has sent it, who must not make a comparison of texts take long, nor
    ///   send a date that databases do not have. What an application has written itself is read as it is.
    func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from bytes: UnsafeBufferPointer<UInt8>, isFromClient: Bool = false
    ) throws -> Value {
        try check(bytes, isDecoded: true, isFromClient: isFromClient)
        let value: Value
        do {
            value = try decoder(isFromClient: isFromClient).decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            // A number that does not fit its type has no path in the decoder's error.
            if case .dataCorrupted(let context) = error, context.codingPath.isEmpty,
                let first = faults(of: type, in: bytes, isFromClient: isFromClient).all.first
            {
                throw first
            }
            throw JSONDecodingError(error, in: bytes, by: self)
        }
        // A type that reads alternatives has failures on its way, too.
        if unknownMembers == .refused,
            let first = JSONTrace.faults(
                of: type, in: bytes, by: self, isFromClient: isFromClient, isRight: true
            ).faults.first
        {
            throw error(for: first, in: bytes)
        }
        return value
    }

    /// Everything that does not fit a type, in the order in which the type reads its members, and then the members that
    /// it does not have, if these are refused. Members after one for which no value can be made up, such as an object,
    /// are not looked at.
    /// - Returns: The value, too, if one could be made, with other values in place of those that do not fit.
    func faults<Value: Decodable>(
        of type: Value.Type, in bytes: UnsafeBufferPointer<UInt8>, isFromClient: Bool = false
    ) -> (value: Value?, all: [JSONDecodingError]) {
        let (value, faults) = JSONTrace.faults(of: type, in: bytes, by: self, isFromClient: isFromClient)
        // Of several at one place, only the first is about the text: the others are about what stood in for a value.
        var seen: Set<ExactText> = []
        let errors = faults.map { error(for: $0, in: bytes) }
        return (value, errors.filter { seen.insert(ExactText($0.pointer)).inserted })
    }

    private func error(for fault: JSONTrace.Fault, in bytes: UnsafeBufferPointer<UInt8>) -> JSONDecodingError {
        if case .dataCorrupted(let context) = fault.error, context.codingPath.isEmpty,
            let unfit = JSONDecodingError(unfit: fault.type, at: fault.path, in: bytes, by: self)
        {
            return unfit
        }
        return JSONDecodingError(fault.error, in: bytes, by: self)
    }

    /// Checks that bytes are one JSON text that every parser reads in the same way.
    ///
    /// The text must follow the grammar of RFC 8259. It must be UTF-8 without a byte order mark, with paired
    /// surrogates, and with no name twice in an object (RFC 7493 §2). It must keep to ``maximumDepth``,
    /// ``maximumMembers`` and ``maximumValues``.
    ///
    /// Two names also count as one if they are canonically equivalent (UAX #15): Swift's dictionaries treat them as one
    /// key, so one of the two values would be lost. A name may have up to 30 combining marks in a
    /// row. If ``maximumMembers`` is `Int.max`, the text counts as the program's own, and it may have any number.
    /// - Throws: ``JSONSyntaxError``.
    public func check(_ bytes: [UInt8]) throws(JSONSyntaxError) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(JSONSyntaxError) in try check(bytes) }
    }

    /// Checks a buffer, as ``check(_:)`` does bytes.
    /// - Parameter isDecoded: Whether it is decoded then: the decoder has a depth of its own (``decodedDepth``). To a
    ///   ``JSONValue``, what is deep takes longer, so the depths of all values have a limit together
    ///   (``maximumValues``).
    func check(
        _ bytes: UnsafeBufferPointer<UInt8>, isDecoded: Bool = false, isFromClient: Bool = false
    ) throws(JSONSyntaxError) {
        let (weight, isTooMuch) = max(maximumValues, 200_000).multipliedReportingOverflow(by: 20)
        var scanner = JSONScanner(
            bytes, maximumDepth: isDecoded ? decodedDepth : maximumDepth, maximumMembers: maximumMembers,
            maximumValues: maximumValues, maximumWeight: isDecoded && !isTooMuch ? weight : .max,
            limitsMarks: isFromClient)
        try scanner.scan()
    }

    /// FoundationEssentials' decoder, by these conventions.
    func decoder(isFromClient: Bool) -> JSONDecoder {
        let decoder = JSONDecoder()
        if !userInfo.isEmpty { decoder.userInfo = userInfo }
        if case .snakeCase = keys { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        decoder.dateDecodingStrategy = dateDecoding(isFromClient: isFromClient)
        if case .strings = floats {
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        }
        return decoder
    }
}
