import HTTPTypes

extension Request {
    /// The media type of the body; nil without a well-formed `Content-Type`.
    public var contentType: MediaType? { receivedFields.only(.contentType).flatMap { MediaType(bytes: $0) } }

    /// Whether the body is a submitted HTML form, with files or without.
    public var isForm: Bool { isTypedForm || isMultipart }

    /// Whether `Content-Type` is `application/json` without parameters, as programs send it.
    var hasPlainJSON: Bool {
        receivedFields.only(.contentType)?.isEqualIgnoringCase(to: "application/json") ?? false
    }

    /// Whether the body is a submitted form without files, all of which a person has typed.
    var isTypedForm: Bool { hasBodyType("application/x-www-form-urlencoded") }

    /// Whether the body is a submitted form that may have files.
    var isMultipart: Bool { hasBodyType("multipart/form-data") }

    /// Whether `Content-Type` has a type, with parameters or without, in any case.
    private func hasBodyType(_ type: StaticString) -> Bool {
        guard let field = receivedFields.only(.contentType) else { return false }
        let end = field.firstOffset(of: UInt8(ascii: ";")) ?? field.count
        return UnsafeBufferPointer(rebasing: field[..<end]).trimmingBlanks().isEqualIgnoringCase(to: type)
    }

    /// The media type without its parameters.
    var bodyType: MediaType? {
        receivedFields.only(.contentType).flatMap { MediaType(bytes: $0, hasParameters: false) }
    }

    /// The fields of a submitted form, without its files.
    /// - Parameter maximumFields: The most fields that it may have.
    /// - Throws: ``HTTPError`` with 415 for another content type, 400 for a malformed one and for what is not UTF-8,
    ///   413 for more fields and for texts that are too large, 422 for too many combining marks in a row; an error on a
    ///   route whose body is `.streamed`.
    public func form(maximumFields: Int = Form.maximumFields) throws -> Form {
        try receivedForm(maximumFields: maximumFields).checked().form
    }

    /// The fields and files of a submitted form whose body is in memory, as far as they can be read.
    /// - Throws: ``HTTPError`` with 415 for another content type, 400 for a multipart body without a boundary.
    func receivedForm(maximumFields: Int = Form.maximumFields) throws -> ReceivedForm {
        try requirePlainContent()
        guard isForm else {
            throw HTTPError(.unsupportedMediaType, "The body must be application/x-www-form-urlencoded.")
        }
        try body.requireCollected()
        if isMultipart {
            var limits = MultipartLimits(maximumSize: body.count ?? 0)
            // Its files are in memory as well, and take no descriptors.
            (limits.maximumParts, limits.maximumFiles) = (maximumFields, maximumFields)
            return try ReceivedForm(body.bytes, multipart(limits).parser)
        }
        return ReceivedForm(try body.withBytes { Form(urlEncoded: $0, maximumFields: maximumFields) }, maximumFields)
    }

    /// Refuses a body that is compressed or coded otherwise: no code here would see what it stands for.
    /// - Throws: ``HTTPError`` with 415 and `Accept-Encoding: identity` (RFC 9110 §15.5.16).
    func requirePlainContent() throws(HTTPError) {
        guard let coding = headers[.contentEncoding], coding.lowercased() != "identity" else { return }
        throw HTTPError(
            .unsupportedMediaType, "The body must be sent without Content-Encoding.",
            headers: [.acceptEncoding: "identity"])
    }
}
