import HTTPTypes
import Synchronization

extension Request {
    /// Returns the body as an input type, decoded from JSON (RFC 8259) or a submitted form, as its `Content-Type` says.
    ///
    /// The rules of a ``Validatable`` type are checked. A form has no more than ``Form/maximumFields`` fields. Its
    /// dates are written as in JSON, or as a browser's `date` and `datetime-local` inputs write them (`2026-01-31`,
    /// `2026-01-31T12:30`). The latter have no time zone, and are read as UTC.
    /// - Parameter coder: The coder that reads the JSON; nil for the request's own (``jsonCoder``).
    /// - Throws: ``HTTPError``: 415 for another content type, 400 for malformed JSON and for a form that is not UTF-8,
    ///   413 for a form of too many fields, 422 for values that are missing, of the wrong type or against the rules (of
    ///   a form, it lists all). An error on a route whose body is `.streamed`: use ``decode(_:limits:using:)`` there.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, using coder: JSONCoder? = nil
    ) throws -> Value {
        try decode(type, from: isForm ? receivedForm() : nil, coder)
    }

    /// Decodes a body that comes as a stream, which may have large files:
    ///
    ///     routes.post(Path("/pictures"), body: .streamed) { request in
    ///         let input = try await request.decode(PictureInput.self, limits: MultipartLimits(maximumSize: 2 << 20))
    ///         …
    ///     }
    /// - Parameter limits: The limits on the body. A body without files may be as large as
    ///   ``MultipartLimits/maximumFieldSize`` if it is a form, and ``MultipartLimits/maximumSize`` if it is JSON.
    /// - Throws: The errors of ``decode(_:using:)``; ``HTTPError`` with 413 for what exceeds a limit.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, limits: MultipartLimits, using coder: JSONCoder? = nil
    ) async throws -> Value {
        let (request, form) = try await received(limits)
        return try request.decode(type, from: form, coder)
    }

    /// Decodes the body, and checks it by further rules, which can use things outside of the input, such as a database
    /// or opening hours; all mistakes are reported at once.
    ///
    ///     let input = try await request.decode(BookingInput.self) { input, check in
    ///         check.that("start", office.isOpen(at: input.start), "We are closed then.")
    ///     }
    ///
    /// - Parameter rules: Further rules for an input that could be read. They also see one that broke rules of its
    ///   type; ``Validation/hasFault(_:)`` tells whether a field did.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, using coder: JSONCoder? = nil,
        rules: (Value, inout Validation) async throws -> Void
    ) async throws -> Value {
        try await decode(type, from: isForm ? receivedForm() : nil, coder, rules: rules)
    }

    /// An input type from a form, or from the body as JSON, with further rules.
    func decode<Value: Decodable>(
        _ type: Value.Type, from form: ReceivedForm?, _ coder: JSONCoder?,
        rules: (Value, inout Validation) async throws -> Void
    ) async throws -> Value {
        var (value, check) = try read(type, from: form, coder)
        try await rules(value, &check)
        guard check.isValid else { throw HTTPError(.unprocessableContent, check.faults, messages) }
        return value
    }

    /// An input as far as it can be read, and the faults that it has by itself.
    private func read<Value: Decodable>(
        _ type: Value.Type, from form: ReceivedForm?, _ coder: JSONCoder?
    ) throws -> (Value, Validation) {
        guard let form = try form?.checked() else {
            do {
                return (try decode(type, from: nil, coder), Validation())
            } catch let error as HTTPError where error.status == .unprocessableContent && !error.parts.isEmpty {
                // Whatever its rules say.
                let read = try? body.withBytes { try (coder ?? jsonCoder).decode(type, from: $0) }
                guard let value = read else { throw error }
                return (value, Validation(error))
            }
        }
        self[DecodedTypes.Key.self]?.note(type)
        let (value, faults) = try read(type, form, coder)
        var check = Validation(faults)
        guard var value else { throw HTTPError(.unprocessableContent, faults, messages) }
        check.apply(to: &value)
        return (value, check)
    }

    /// The request with its body in memory, or the form that was its body.
    func received(_ limits: MultipartLimits) async throws -> (Request, ReceivedForm?) {
        if isMultipart {
            // A person gets the page of the form again, with what was read before the limit.
            let parts = try prefersPage ? multipartParts(limits) : multipart(limits)
            return (self, try await ReceivedForm(parts, limits))
        }
        var request = self
        request.body = try await body.collect(upTo: isForm ? limits.maximumFieldSize : limits.maximumSize)
        return (request, isForm ? try request.receivedForm() : nil)
    }

    /// An input type from a form, or from the body as JSON.
    func decode<Value: Decodable>(
        _ type: Value.Type, from form: ReceivedForm?, _ coder: JSONCoder?
    ) throws -> Value {
        self[DecodedTypes.Key.self]?.note(type)
        if let form = try form?.checked() {
            let (value, faults) = try read(type, form, coder)
            return try checked(value, faults)
        }
        try requirePlainContent()
        guard hasPlainJSON || bodyType?.isJSONValue ?? false else {
            let usual = "application/json, application/x-www-form-urlencoded, multipart/form-data"
            let accepted = method == .patch ? "application/merge-patch+json, " + usual : usual
            var headers: Headers = [.accept: accepted]
            if method == .patch { headers[.acceptPatch] = accepted }
            throw HTTPError(
                .unsupportedMediaType, Sentence("The body must be one of: {types}.", ["types": accepted]),
                headers: headers)
        }
        try body.requireCollected()
        return try body.withBytes { try decodeJSON(type, $0, coder ?? jsonCoder) }
    }

    /// An input from a form as far as it can be read, and what is wrong with the form's fields.
    private func read<Value: Decodable>(
        _ type: Value.Type, _ form: ReceivedForm, _ coder: JSONCoder?
    ) throws -> (value: Value?, faults: [FieldFault]) {
        let fields = FormFields(form.form, files: form.files)
        let refusesUnknown = (coder ?? jsonCoder).unknownMembers == .refused
        return try FormDecoder.read(type, from: fields, in: messages, strictNames: refusesUnknown ? fields.names : [])
    }

    /// An input that follows its rules, and in which nothing was wrong before.
    private func checked<Value>(_ value: Value?, _ faults: [FieldFault] = []) throws -> Value {
        var check = Validation(faults)
        guard var value else { throw HTTPError(.unprocessableContent, check.faults, messages) }
        check.apply(to: &value)
        guard check.isValid else { throw HTTPError(.unprocessableContent, check.faults, messages) }
        return value
    }

    /// - Throws: ``HTTPError`` with 400 for a malformed text; with 422 for everything that does not fit the type, and
    ///   that breaks its rules.
    func decodeJSON<Value: Decodable>(
        _ type: Value.Type, _ bytes: UnsafeBufferPointer<UInt8>, _ coder: JSONCoder
    ) throws -> Value {
        let value: Value
        do {
            value = try coder.decode(type, from: bytes, isFromClient: true)
        } catch let error as JSONSyntaxError {
            throw HTTPError(.badRequest, "\(error)")
        } catch let error as JSONDecodingError {
            let (value, all) = coder.faults(of: type, in: bytes, isFromClient: true)
            return try unfit(value, all.isEmpty ? [error] : all)
        }
        return try checked(value)
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

    /// Returns the parameters of the query as an input type; they are read like the fields of a form.
    ///
    ///     struct Period: Decodable { var from: Date; var to: Date? }     // ?from=2026-01-01
    ///     let period = try request.decodeQuery(Period.self)
    ///
    /// Parameters that the type does not have are ignored, unless the routes' JSON refuses unknown members
    /// (``JSONCoder/unknownMembers-swift.property``). Those that ``PageQuery`` reads are accepted in every query.
    /// - Throws: ``HTTPError`` with 400 for what is not UTF-8, and for values that are missing, have the wrong type or
    ///   break the rules: its parts list all of them, and its message is that of the first.
    public func decodeQuery<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        self[DecodedTypes.Key.self]?.note(type, isQuery: true)
        let fields = try FormFields(checkedQuery())
        var strictNames = jsonCoder.unknownMembers == .refused ? fields.names : []
        strictNames.removeAll { Self.pageParameters.contains(ExactText($0)) }
        let (value, faults) = try FormDecoder.read(
            type, from: fields, in: messages, strictNames: strictNames, isQuery: true)
        do {
            return try checked(value, faults)
        } catch var error as HTTPError {
            error.message = error.parts.first.map { "\($0.name): \($0.message)" } ?? error.message
            error.status = .badRequest
            error.parts = error.parts.map { HTTPError.Part(parameter: $0.name, $0.sentence) }
            throw error
        }
    }

    /// The parameters that ``PageQuery`` reads, beside whatever type is decoded.
    private static let pageParameters = Set(["limit", "after", "before", "sort"].map(ExactText.init))
}

extension Request {
    /// The parameters after the question mark.
    /// - Throws: ``HTTPError`` with 400 for what is not UTF-8.
    func checkedQuery() throws(HTTPError) -> Form {
        let query = query
        guard query.isUTF8 else { throw HTTPError(.badRequest, "The query is not valid UTF-8.") }
        return query
    }
}

extension MediaType {
    /// `application/json`, or a type whose syntax is JSON (RFC 6839 §3.1).
    var isJSON: Bool { type == "application" && (subtype == "json" || subtype.hasSuffix("+json")) }

    /// JSON that is the value itself: a JSON patch (RFC 6902) is a list of steps that lead to it.
    fileprivate var isJSONValue: Bool { isJSON && subtype != "json-patch+json" }
}

extension HTTPField.Name {
    /// `Accept-Patch`: the types in which changes may be sent (RFC 5789 §3.1).
    static let acceptPatch = known("Accept-Patch")
}

/// The types as which handlers have decoded parts of one request, for those who compare them with a description.
final class DecodedTypes: Sendable {
    enum Key: RequestKey { typealias Value = DecodedTypes }

    /// One type, and whether it was decoded from the query.
    struct Entry: Sendable {
        let type: any Any.Type
        let isQuery: Bool
    }

    private let entries = Mutex<[Entry]>([])

    var all: [Entry] { entries.withLock { $0 } }

    func note(_ type: any Any.Type, isQuery: Bool = false) {
        entries.withLock { $0.append(Entry(type: type, isQuery: isQuery)) }
    }
}
