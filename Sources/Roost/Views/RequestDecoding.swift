import HTTPTypes

extension Request {
    /// The media type of the body; nil without a well-formed `Content-Type`.
    public var contentType: MediaType? { headers[.contentType].flatMap { MediaType($0) } }

    /// Whether the body is a submitted HTML form.
    public var isForm: Bool { contentType?.isSame(as: .form) ?? false }

    /// The body as an input type: of JSON (RFC 8259) or of a submitted form, by its `Content-Type`.
    /// - Throws: ``HTTPError``: 415 for another content type, 400 for malformed JSON, 422 for a value that is missing
    ///   or of another type.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        if isForm { return try decodeForm(type) }
        guard let contentType, contentType.isJSON else {
            let accepted = "application/json, application/x-www-form-urlencoded"
            throw HTTPError(
                .unsupportedMediaType,
                "The body must be one of: \(accepted).",
                headers: [.accept: accepted]
            )
        }
        return try body.withBytes { try decodeJSON(type, $0) }
    }

    private func decodeJSON<Value: Decodable>(_ type: Value.Type, _ bytes: UnsafeBufferPointer<UInt8>) throws -> Value {
        do {
            return try JSONCoder().decode(type, from: bytes)
        } catch let error as JSONSyntaxError {
            throw HTTPError(.badRequest, "The body is no JSON: \(error)")
        } catch let error as JSONDecodingError {
            throw HTTPError(.unprocessableContent, at: error.pointer, error.reason)
        }
    }

    /// The fields of a submitted form.
    /// - Throws: ``HTTPError`` with 415 for another content type.
    public func form() throws -> Form {
        guard isForm else {
            throw HTTPError(.unsupportedMediaType, "The body must be application/x-www-form-urlencoded.")
        }
        return try body.withBytes { Form(urlEncoded: $0) }
    }

    private func decodeForm<Value: Decodable>(_ type: Value.Type) throws -> Value {
        do {
            return try FormDecoder.decode(type, from: form())
        } catch let error as DecodingError {
            throw HTTPError(.unprocessableContent, at: "/" + error.field, error.reason)
        }
    }
}

extension MediaType {
    /// `application/json`, or a type whose syntax is JSON (RFC 6839 §3.1).
    var isJSON: Bool { type == "application" && (subtype == "json" || subtype.hasSuffix("+json")) }
}

extension DecodingError {
    private var context: Context? {
        switch self {
        case .keyNotFound(_, let context), .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }

    /// The name of the field that is missing or wrong.
    fileprivate var field: String {
        if case .keyNotFound(let key, _) = self { return key.stringValue }
        return context?.codingPath.last?.stringValue ?? "The form"
    }

    fileprivate var reason: String { context?.debugDescription ?? "it cannot be read." }
}
