import HTTPTypes

/// A form that was refused: the typed texts, and its faults, for the page that shows it again.
public struct InvalidForm: Sendable {
    /// The fields as they were sent, without files. Of a form that is too large, those that were read before the limit
    /// was reached; if only a file is too large, all. A text with too many combining marks in a row is left out.
    public let typed: Form
    /// The error with which the form was refused.
    public let error: HTTPError

    /// Creates a refused form, for instance for a test.
    public init(typed: Form, error: HTTPError) {
        self.typed = typed
        self.error = error
    }

    /// The text that was typed in a field; empty for a field that was not sent.
    public subscript(field: String) -> String { typed[field] ?? "" }

    /// Returns the messages about a field, joined into one text; nil if there are none.
    public func message(for field: String) -> String? {
        let messages = error.parts.filter { ExactText($0.name) == ExactText(field) }.map(\.message)
        return messages.isEmpty ? nil : messages.joined(separator: " ")
    }

    /// The message about the whole form; nil if the error is about fields only.
    public var message: String? {
        guard let message = error.message else { return error.parts.isEmpty ? error.status.title : nil }
        return error.parts.contains { $0.message == message } ? nil : message
    }

    /// Returns the message about the whole form, together with those about fields outside of a set, such as a hidden
    /// one, which the page would not show otherwise. Nil if there are none.
    public func message(besides fields: FieldSet) -> String? {
        let hidden = error.parts.filter { fields[$0.name] == nil }.map { part in
            part.name.isEmpty ? part.message : "\(part.name): \(part.message)"
        }
        let messages = [message].compactMap(\.self) + hidden
        return messages.isEmpty ? nil : messages.joined(separator: " ")
    }

    /// The statuses of errors caused by what was sent, which the visitor can correct: 409, 413, 415 and 422.
    public static let statuses: Set<HTTPResponse.Status> = [
        .conflict, .contentTooLarge, .unsupportedMediaType, .unprocessableContent,
    ]
}

extension Request {
    /// Handles a submitted form, and shows it again if it is refused; handles JSON, too.
    ///
    ///     func create(_ request: Request) async throws -> Response {
    ///         try await request.handleForm(NestInput.self) { input in
    ///             let nest = try await nests.add(input)
    ///             return .redirect(to: Self.one.url(nest.id))
    ///         } invalid: { form in
    ///             View("nests/new", NewNestPage(form))
    ///         }
    ///     }
    ///
    /// The form is refused if it cannot be decoded or breaks the rules of its type (``Validatable``), or if `handle`
    /// throws an ``HTTPError`` with 409, 413, 415 or 422, or a ``ResponseError`` that stands for one, as when a name is
    /// taken. A browser then gets the page of `invalid` with the error's status. A program gets the error itself, which
    /// ``ErrorPages`` turns into problem details with a pointer to each field. Any other error is thrown. A
    /// ``ResponseError`` that the form shows and that is the server's fault, such as a 503, is logged by the
    /// ``ErrorPages`` around it.
    ///
    /// Further rules can use things outside of the input, such as a database or opening hours; the page shows all
    /// mistakes at once:
    ///
    ///     try await request.handleForm(RoomInput.self, rules: { input, check in
    ///         check.that("name", try await !rooms.has(input.name), "There is such a room.")
    ///     }) { input in … } invalid: { form in … }
    ///
    /// - Parameters:
    ///   - limits: The limits on a form with files, on a route whose body is `.streamed`. Without them, such a route
    ///     reads as much as one that collects its body: ``ServerConfiguration/maximumFormSize`` of a form without
    ///     files, ``ServerConfiguration/maximumBodySize`` of any other body.
    ///   - statuses: The statuses of the errors that show the form again. A sign-in adds that of a wrong password:
    ///     `InvalidForm.statuses.union([.unauthorized])`.
    ///   - rules: Further rules for an input that could be read; see ``decode(_:using:rules:)``. Whatever must be
    ///     unique needs a constraint in the database as well, since two requests may come at the same time.
    ///   - handle: Handles a valid input.
    ///   - invalid: Makes the page that shows the form again.
    public func handleForm<Input: Decodable>(
        _ type: Input.Type = Input.self,
        limits: MultipartLimits? = nil,
        showing statuses: Set<HTTPResponse.Status> = InvalidForm.statuses,
        rules: (Input, inout Validation) async throws -> Void = { _, _ in },
        _ handle: (Input) async throws -> Response,
        invalid: (InvalidForm) async throws -> View
    ) async throws -> Response {
        var typed = Form()
        do {
            var (request, form) = (self, nil as ReceivedForm?)
            if let limits {
                (request, form) = try await received(limits)
            } else {
                if body.isUncollected, let limit = self[UsualBodyLimit.self] {
                    request.body = try await body.collect(upTo: limit)
                }
                if !hasPlainJSON, isForm { form = try request.receivedForm() }
            }
            typed = form?.form ?? typed
            return try await handle(request.decode(type, from: form, nil, rules: rules))
        } catch {
            guard showsForms, let known = HTTPError(converting: error), statuses.contains(known.status)
            else {
                throw error
            }
            // A name that is taken is the visitor's to change; a disk that is full is not.
            if !(error is HTTPError), known.status.kind == .serverError { self[ErrorLog.self]?(error, self) }
            var shown = known.translated(by: messages)
            if shown.message == nil, shown.parts.isEmpty { shown.message = messages.title(of: shown.status) }
            let view = try await invalid(InvalidForm(typed: typed, error: shown))
            var headers = view.headers
            for field in known.headers.list { headers.append(field.name, field.value) }
            return Response(known.status, headers, deferred: .page(view))
        }
    }

    /// Whether a refused form is shown again: to whoever prefers pages, and to whoever sends a form without files, as
    /// only pages do, unless `Accept` excludes a page.
    private var showsForms: Bool { isForm && (prefersPage || !isMultipart && accept.quality(of: .html) > 0) }
}
