import HTTPTypes

extension Request {
    /// The body as an input type: decoded from JSON (RFC 8259) or a submitted form, depending on its `Content-Type`.
    ///
    /// The rules of a ``Validatable`` type are checked. A form has no more than ``Form/maximumFields`` fields. Its
    /// dates are written as in JSON, or as a browser's `date` and `datetime-local` inputs write them (`2026-01-31`,
    /// `2026-01-31T12:30`). Those have no time zone and are taken as UTC.
    /// - Parameter coder: How the JSON is read, if that differs from the application's other JSON.
    /// - Throws: ``HTTPError``: 415 for another content type, 400 for malformed JSON, 413 for a form of too many
    ///   fields, 422 for values that are missing, of another type, or against the rules: of a form, all of them.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, using coder: JSONCoder? = nil
    ) throws -> Value {
        try decode(type, from: isForm ? receivedForm() : nil, coder)
    }

    /// The same for a body that comes as a stream, which may have large files:
    ///
    ///     routes.post(Path("/pictures"), body: .streamed) { request in
    ///         let input = try await request.decode(PictureInput.self, limits: MultipartLimits(maximumSize: 2 << 20))
    ///         …
    ///     }
    /// - Parameter limits: How much may come. A body without files may have ``MultipartLimits/maximumFieldSize`` as a
    ///   form, and ``MultipartLimits/maximumSize`` as JSON.
    /// - Throws: What ``decode(_:using:)`` throws; ``HTTPError`` with 413 for what exceeds a limit.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, limits: MultipartLimits, using coder: JSONCoder? = nil
    ) async throws -> Value {
        let (request, form) = try await received(limits)
        return try request.decode(type, from: form, coder)
    }

    /// The request with its body in memory, or the form that was its body.
    func received(_ limits: MultipartLimits) async throws -> (Request, ReceivedForm?) {
        if isMultipart { return (self, try await ReceivedForm(multipart(limits), limits)) }
        var request = self
        request.body = try await body.collect(upTo: isForm ? limits.maximumFieldSize : limits.maximumSize)
        return (request, isForm ? try request.receivedForm() : nil)
    }

    /// An input type from a form, or from the body as JSON.
    func decode<Value: Decodable>(
        _ type: Value.Type, from form: ReceivedForm?, _ coder: JSONCoder?
    ) throws -> Value {
        if let form {
            let (value, faults) = try FormDecoder.read(type, from: FormFields(form.form, files: form.files))
            return try checked(value, faults)
        }
        guard hasPlainJSON || bodyType?.isJSON ?? false else {
            let accepted = "application/json, application/x-www-form-urlencoded, multipart/form-data"
            throw HTTPError(
                .unsupportedMediaType,
                "The body must be one of: \(accepted).",
                headers: [.accept: accepted]
            )
        }
        return try checked(body.withBytes { try decodeJSON(type, $0, coder ?? jsonCoder) })
    }

    /// An input that follows its rules, and in which nothing was wrong before.
    private func checked<Value>(_ value: Value?, _ faults: [FieldFault]) throws -> Value {
        var check = Validation(faults)
        guard let value else { throw HTTPError(.unprocessableContent, check.faults, messages) }
        return try checked(value, &check)
    }

    /// An input that follows its rules.
    private func checked<Value>(_ value: Value) throws -> Value {
        var check = Validation()
        return try checked(value, &check)
    }

    private func checked<Value>(_ value: Value, _ check: inout Validation) throws -> Value {
        var value = value
        if let type = Value.self as? any Validatable.Type { Self.validate(&value, as: type, &check) }
        guard check.isValid else { throw HTTPError(.unprocessableContent, check.faults, messages) }
        return value
    }

    /// Checks a value whose type is known to have rules: in place, because casts of values to and fro cost more than
    /// most rules.
    private static func validate<Value, Input: Validatable>(
        _ value: inout Value, as type: Input.Type, _ check: inout Validation
    ) {
        withUnsafeMutablePointer(to: &value) { value in
            value.withMemoryRebound(to: type, capacity: 1) { $0.pointee.validate(&check) }
        }
    }

    /// - Throws: ``HTTPError`` with 400 for a malformed text; with 422 for everything that does not fit the type, and
    ///   that breaks its rules.
    func decodeJSON<Value: Decodable>(
        _ type: Value.Type, _ bytes: UnsafeBufferPointer<UInt8>, _ coder: JSONCoder
    ) throws -> Value {
        do {
            return try coder.decode(type, from: bytes)
        } catch let error as JSONSyntaxError {
            throw HTTPError(.badRequest, "\(error)")
        } catch let error as JSONDecodingError {
            let (value, all) = coder.faults(of: type, in: bytes)
            return try unfit(value, all.isEmpty ? [error] : all)
        }
    }

    /// Throws what does not fit. One that stands alone is also the message of the error.
    private func unfit<Value>(_ value: Value?, _ errors: [JSONDecodingError]) throws -> Value {
        do {
            return try checked(value, errors.map { FieldFault(pointer: $0.pointer, Sentence($0.reason)) })
        } catch var error as HTTPError where error.parts.count == 1 {
            error.sentence = error.parts[0].sentence
            throw error
        }
    }

    /// The parameters after the question mark as an input type; they are read like the fields of a form.
    ///
    ///     struct Period: Decodable { var from: Date; var to: Date? }     // ?from=2026-01-01
    ///     let period = try request.decodeQuery(Period.self)
    ///
    /// - Throws: ``HTTPError`` with 400 for a value that is missing or of another type.
    public func decodeQuery<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        let (value, faults) = try FormDecoder.read(type, from: FormFields(query))
        do {
            return try checked(value, faults)
        } catch var error as HTTPError {
            error.message = error.parts.first.map { "\($0.name): \($0.message)" } ?? error.message
            error.status = .badRequest
            error.parts = []
            throw error
        }
    }
}

extension MediaType {
    /// `application/json`, or a type whose syntax is JSON (RFC 6839 §3.1).
    var isJSON: Bool { type == "application" && (subtype == "json" || subtype.hasSuffix("+json")) }
}
