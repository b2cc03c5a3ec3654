import HTTPTypes
public import Logging

/// Middleware that turns errors into responses: problem details for programs (RFC 9457), a page for browsers.
///
/// An ``HTTPError`` is itself meant for the client. Any other error is logged with the request's id, and becomes what a
/// ``ResponseError`` stands for, or else a 500, which reveals the error only in development. There, a browser gets a
/// page with the error and those inside it, the route, and what the client has sent, without secrets. A broken
/// template, or one that does not fit its page, is shown with its lines and what to do.
///
/// A ``ResponseError`` with a status from 400 to 499 is the client's mistake, and no error in the log. Its text may
/// have what a visitor typed: it is logged at level `info`, and only if the client is told something else.
///
/// An application can have its own page for browsers, and its own format for programs:
///
///     ErrorPages(
///         .page { error, _ in .view("error", error) },
///         .json { error, _ in .json(["errors": Dictionary(grouping: error.parts, by: \.name).mapValues(…)]) })
///
/// In the middleware of a group with a prefix it applies to everything under that prefix, 404 and 405 included, so that
/// an API can have its own format.
public struct ErrorPages: Filter {
    private let logger: Logger
    private let explains: Bool
    private let page: (@Sendable (ErrorPage, Request) throws -> Response)?
    private let json: (@Sendable (HTTPError, Request) throws -> Response)?

    /// Whether programs get errors in a format of the application's own.
    var hasOwnFormat: Bool { json != nil }
    /// The type of the JSON of that format, if the application tells it.
    let ownType: (any (Encodable & SendableMetatype).Type)?

    /// A way of showing errors, to browsers or to programs. Its responses get the error's status and fields. If the
    /// format itself fails, the failure is logged, and the client gets a plain page or ``ProblemDetails``.
    public struct Format: Sendable {
        fileprivate var page: (@Sendable (ErrorPage, Request) throws -> Response)?
        fileprivate var json: (@Sendable (HTTPError, Request) throws -> Response)?
        fileprivate var type: (any (Encodable & SendableMetatype).Type)?

        /// Makes the page for browsers. Without one they get what ``json(as:_:)`` makes, or else a plain page.
        public static func page(_ make: @escaping @Sendable (ErrorPage, Request) throws -> Response) -> Format {
            Format(page: make)
        }

        /// Makes the response for programs. Without one they get ``ProblemDetails``.
        /// - Parameter type: The type of its JSON, for the description of an API; without it, errors have no schema
        ///   there.
        public static func json(
            as type: (any (Encodable & SendableMetatype).Type)? = nil,
            _ make: @escaping @Sendable (HTTPError, Request) throws -> Response
        ) -> Format {
            Format(json: make, type: type)
        }
    }

    /// Creates the middleware.
    /// - Parameters:
    ///   - formats: At most one of each kind.
    ///   - logger: The logger of unexpected errors; by default, the task's logger (swift-log's `withLogger`) or one
    ///     with the label `roost`.
    ///   - explains: Whether clients see the text of unexpected errors; by default in development (``Environment``).
    public init(_ formats: Format..., logger: Logger? = nil, explains: Bool? = nil) {
        self.logger = logger ?? .current(or: "roost")
        self.explains = explains ?? (Environment.current == .development)
        page = formats.lazy.compactMap(\.page).first
        let own = formats.first { $0.json != nil }
        (json, ownType) = (own?.json, own?.type)
    }

    /// Lets a form that shows an error itself have it logged here.
    public func before(_ request: inout Request) -> Response? {
        if request.knownMethod != .get, request.isForm { request[ErrorLog.self] = { note($0, $1) } }
        return nil
    }

    /// Turns an error into a response.
    /// - Throws: `CancellationError`, unchanged, when the request's own task is cancelled: nobody is left to respond
    ///   to.
    public func recover(from error: any Error, in request: Request) throws -> Response {
        if error.endsCancelledTask { throw error }
        return response(to: error, request)
    }

    private func response(to error: any Error, _ request: Request) -> Response {
        if !(error is HTTPError) { note(error, request) }
        let known =
            HTTPError(converting: error)?.translated(by: request.messages)
            ?? HTTPError(.internalServerError, explains ? "\(error)" : nil)
        var response = representation(of: known, request, error)
        response.status = known.status
        // The format's own fields and the error's both say on what the response depends.
        let (fields, vary) = (known.headers.list, response.headers[values: .vary])
        for field in fields { response.headers[field.name] = nil }
        for field in fields { response.headers.append(field.name, field.value) }
        for line in vary where known.headers.contains(.vary) { response.headers.append(.vary, line) }
        response.headers.addToVary(.accept)
        // Middleware inside Languages may have chosen another language, which Languages itself does not see.
        if request[Request.MessageTableKey.self] != nil, !response.headers.contains(.contentLanguage) {
            response.headers[.contentLanguage] = request.messages.language
        }
        return response
    }

    private func representation(of known: HTTPError, _ request: Request, _ error: any Error) -> Response {
        let isForPrograms = page == nil && json != nil
        switch isForPrograms ? .json : request.accept.best(of: [.problem, .json, .html, .text]) {
        case .html: return browser(known, request, error)
        case .text: return .text(Self.plainText(known, request.messages))
        default:
            let problem = { @Sendable in Response.problem(known, requestID: request.id, messages: request.messages) }
            guard let json else { return problem() }
            return own({ try json(known, request) }, request) { _ in problem() }
        }
    }

    private func browser(_ known: HTTPError, _ request: Request, _ error: any Error) -> Response {
        let shown = ErrorPage(known, requestID: request.id, request.messages)
        let messages = request.messages
        let plain = { @Sendable (error: any Error) in
            let mending = explains ? TemplateErrorPage.response(known.status, error, shown, request) : nil
            return mending ?? .html(Self.plainPage(known, messages))
        }
        if explains, HTTPError(converting: error) == nil, !TemplateErrorPage.isAbout(error) {
            let report = ErrorReport(error: error, status: known.status, requestID: request.id)
            return Response(known.status, [:], deferred: .made { try report.response(for: $0, in: $1) })
        }
        guard let page, !(explains && TemplateErrorPage.isAbout(error)) else { return plain(error) }
        var response = own({ try page(shown, request) }, request, or: plain)
        // The page may show who the visitor is.
        if !response.headers.contains(.cacheControl) { response.headers[.cacheControl] = "no-store" }
        return response
    }

    /// A response that the application makes, now or when its content is made; if that fails, the plain one.
    private func own(
        _ make: () throws -> Response,
        _ request: Request,
        or plain: @escaping @Sendable (any Error) -> Response
    ) -> Response {
        let failed = { @Sendable (error: any Error) in
            log(error, request, "the error page itself failed: ")
            return plain(error)
        }
        do { return try make().orElse(failed) } catch { return failed(error) }
    }

    /// Logs an unexpected error, also in the line of its request. A client's mistake is not one.
    private func note(_ error: any Error, _ request: Request) {
        if let known = HTTPError(converting: error), known.status.kind == .clientError, !error.hasRemark {
            if !known.tells("\(error)") { log(error, request, level: .info) }
        } else {
            log(error, request)
            request.notes.error = "\(error)"
        }
    }

    /// One line for each error, in JSON with the ids of the request as metadata; in development the excerpt of a
    /// template keeps its lines, so that its caret is in the right place. Roost's own log escapes what would end a
    /// line: there, each is a line of the log.
    private func log(_ error: any Error, _ request: Request, _ what: String = "", level: Logger.Level = .error) {
        let id = request.id.map { " \($0)" } ?? ""
        let line = "\(LogText.name(of: request)): \(what)"
        let isJSON = (self.logger.handler as? RoostLogHandler)?.output.format == .json
        let logger = isJSON ? self.logger.of(request) : self.logger
        guard explains, error is TemplateError || error is TemplateErrors else {
            return logger.log(level: level, "\(line)\(LogText.escaped("\(error)"))\(id)")
        }
        let text = "\(line)a template has an error\(id)\n\(error)"
        guard logger.handler is RoostLogHandler else { return logger.error("\(text)") }
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) { logger.error("\(Substring(line))") }
    }

    private static func plainText(_ error: HTTPError, _ messages: MessageTable) -> String {
        "\(error.status.code) \(messages.title(of: error.status))\n" + (error.message.map { "\n\($0)\n" } ?? "")
    }

    private static func escaped(_ text: String) -> String {
        let output = ByteBuffer()
        HTMLEscaping.append(text.utf8, to: output)
        return String(decoding: output.written, as: UTF8.self)
    }

    private static func plainPage(_ error: HTTPError, _ messages: MessageTable) -> String {
        let isTranslated = messages.texts[error.status.title] != nil
        let language = isTranslated ? Self.escaped(messages.language) : "en"
        let direction = isTranslated && messages.isRightToLeft ? " dir=\"rtl\"" : ""
        let title = Self.escaped(messages.title(of: error.status))
        let message = error.message.map { "<p>\(Self.escaped($0))</p>" } ?? ""
        return """
            <!doctype html><html lang="\(language)"\(direction)><meta charset="utf-8"><title>\(title)</title>
            <h1>\(error.status.code) \(title)</h1>\(message)</html>

            """
    }
}

extension HTTPError {
    /// Whether a text is what the client is told.
    fileprivate func tells(_ text: String) -> Bool { message == text || parts.contains { $0.message == text } }
}

extension Error {
    /// Whether something of the server has failed besides, such as the store of its session.
    fileprivate var hasRemark: Bool {
        guard let error = self as? ErrorWithFields else { return false }
        return error.remark != nil || error.error.hasRemark
    }
}
