import HTTPTypes

extension Request {
    /// The media type of the body; nil without a well-formed `Content-Type`.
    public var contentType: MediaType? { receivedFields.only(.contentType).flatMap { MediaType(bytes: $0) } }

    /// Whether the body is a submitted HTML form.
    public var isForm: Bool { bodyType?.isSame(as: .form) ?? false }

    /// The media type without its parameters.
    private var bodyType: MediaType? {
        receivedFields.only(.contentType).flatMap { MediaType(bytes: $0, hasParameters: false) }
    }

    /// The body as an input type: decoded from JSON (RFC 8259) or a submitted form, depending on its `Content-Type`.
    ///
    /// A form has no more than ``Form/maximumFields`` fields. Its dates are written as in JSON, or as a browser's
    /// `date` and `datetime-local` inputs write them (`2026-01-31`, `2026-01-31T12:30`). Those have no time zone and
    /// are taken as UTC.
    /// - Parameter coder: How the JSON is read, if that differs from the application's other JSON.
    /// - Throws: ``HTTPError``: 415 for another content type, 400 for malformed JSON, 413 for a form of too many
    ///   fields, 422 for a value that is missing or of another type.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, using coder: JSONCoder? = nil
    ) throws -> Value {
        let bodyType = bodyType
        if bodyType?.isSame(as: .form) == true { return try decodeForm(type) }
        guard let bodyType, bodyType.isJSON else {
            let accepted = "application/json, application/x-www-form-urlencoded"
            throw HTTPError(
                .unsupportedMediaType,
                "The body must be one of: \(accepted).",
                headers: [.accept: accepted]
            )
        }
        return try body.withBytes { try decodeJSON(type, $0, coder ?? jsonCoder) }
    }

    func decodeJSON<Value: Decodable>(
        _ type: Value.Type, _ bytes: UnsafeBufferPointer<UInt8>, _ coder: JSONCoder
    ) throws -> Value {
        do {
            return try coder.decode(type, from: bytes)
        } catch let error as JSONSyntaxError {
            throw HTTPError(.badRequest, "\(error)")
        } catch let error as JSONDecodingError {
            throw Self.unprocessable(at: error.pointer, error.reason)
        }
    }

    /// An error about one part of the body. The names in the pointer come from the client and may be of any length; a
    /// pointer that is too long for a response is left out.
    private static func unprocessable(at pointer: String, _ reason: String) -> HTTPError {
        guard pointer.utf8.count <= 1000 else { return HTTPError(.unprocessableContent, reason) }
        return HTTPError(.unprocessableContent, at: pointer, reason)
    }

    /// The fields of a submitted form.
    /// - Parameter maximumFields: The most fields that it may have.
    /// - Throws: ``HTTPError`` with 415 for another content type, 413 for more fields.
    public func form(maximumFields: Int = Form.maximumFields) throws -> Form {
        guard isForm else {
            throw HTTPError(.unsupportedMediaType, "The body must be application/x-www-form-urlencoded.")
        }
        let form = try body.withBytes { Form(urlEncoded: $0, maximumFields: maximumFields) }
        guard form.isWhole else {
            throw HTTPError(.contentTooLarge, "The form has more than the \(maximumFields) fields allowed here.")
        }
        return form
    }

    /// The parameters after the question mark as an input type; they are read like the fields of a form.
    ///
    ///     struct Period: Decodable { var from: Date; var to: Date? }     // ?from=2026-01-01
    ///     let period = try request.decodeQuery(Period.self)
    ///
    /// - Throws: ``HTTPError`` with 400 for a value that is missing or of another type.
    public func decodeQuery<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        do {
            return try FormDecoder.decode(type, from: query)
        } catch let error as DecodingError {
            let isShort = error.field.utf8.count <= 1000
            throw HTTPError(.badRequest, isShort ? "\(error.field): \(error.reason)" : error.reason)
        }
    }

    private func decodeForm<Value: Decodable>(_ type: Value.Type) throws -> Value {
        do {
            return try FormDecoder.decode(type, from: form())
        } catch let error as DecodingError {
            throw Self.unprocessable(at: "/" + error.field, error.reason)
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
