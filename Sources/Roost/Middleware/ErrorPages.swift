import HTTPTypes
public import Logging

/// Turns errors into responses: problem details for programs (RFC 9457), a page for browsers.
///
/// An ``HTTPError`` itself says what the client may know. Any other error is logged with the request's id. It becomes
/// what a ``ResponseError`` says, or otherwise a 500, which reveals the error only in development. There, a broken
/// template, or one that does not fit its page, is shown with its lines and what to do.
public struct ErrorPages: ImmediateMiddleware {
    private let logger: Logger
    private let explains: Bool
    private let page: (@Sendable (ErrorPage, Request) throws -> Response)?

    /// - Parameters:
    ///   - explains: Whether clients see the text of unexpected errors; for development only.
    ///   - page: Makes the page; without it a plain one is used.
    public init(
        _ logger: Logger,
        explains: Bool = false,
        page: (@Sendable (ErrorPage, Request) throws -> Response)? = nil
    ) {
        self.logger = logger
        self.explains = explains
        self.page = page
    }

    /// Turns an error into a response.
    /// - Throws: `CancellationError`, unchanged, when that is the error: nobody is left to respond to.
    public func recover(from error: any Error, in request: Request) throws -> Response {
        if error is CancellationError { throw error }
        return response(to: error, request)
    }

    private func response(to error: any Error, _ request: Request) -> Response {
        let known = HTTPError(error)
        if !(error is HTTPError) { log(error, request) }
        let status = known?.status ?? .internalServerError
        let page = ErrorPage(
            status: status.code,
            title: status.reasonPhrase,
            message: known == nil && explains ? "\(error)" : known?.message,
            requestID: request.id
        )
        let parts = known?.pointer.map { [ProblemDetails.Part(pointer: "#" + $0, detail: page.message)] }
        var response = representation(of: page, parts, status, request, of: error)
        response.headers[.vary] = "Accept"
        let fields = known?.headers.list ?? []
        for field in fields { response.headers[field.name] = nil }
        for field in fields { response.headers.append(field.name, field.value) }
        return response
    }

    private func representation(
        of page: ErrorPage,
        _ parts: [ProblemDetails.Part]?,
        _ status: HTTPResponse.Status,
        _ request: Request,
        of error: any Error
    ) -> Response {
        switch request.accept.best(of: [.problem, .json, .html, .text]) {
        case .html: htmlPage(page, status, request, error)
        case .text: .text(Self.plainText(page), status: status)
        default:
            Response(
                status, "application/problem+json", Body((try? JSONCoder().encode(Self.details(page, parts))) ?? []))
        }
    }

    private func htmlPage(
        _ page: ErrorPage, _ status: HTTPResponse.Status, _ request: Request, _ error: any Error
    ) -> Response {
        if explains, let shown = TemplateErrorPage.response(status, error, page, request) { return shown }
        do {
            if var response = try self.page?(page, request) {
                response.status = status
                return response
            }
        } catch {
            log(error, request, "the error page itself failed: ")
            if explains, let shown = TemplateErrorPage.response(status, error, page, request) { return shown }
        }
        return .html(Self.plainPage(page), status: status)
    }

    /// One line for each error; in development the excerpt of a template keeps its lines, so that its caret is in the
    /// right place.
    private func log(_ error: any Error, _ request: Request, _ what: String = "") {
        let id = request.id.map { " \($0)" } ?? ""
        let line = "\(LogText.name(of: request)): \(what)"
        if explains, error is TemplateError || error is TemplateErrors {
            logger.error("\(line)a template has an error\(id)\n\(error)")
        } else {
            logger.error("\(line)\(LogText.escaped("\(error)"))\(id)")
        }
    }

    private static func details(_ error: ErrorPage, _ parts: [ProblemDetails.Part]?) -> ProblemDetails {
        ProblemDetails(
            title: error.title,
            status: error.status,
            detail: error.message,
            requestID: error.requestID,
            errors: parts
        )
    }

    private static func plainText(_ page: ErrorPage) -> String {
        "\(page.status) \(page.title)\n" + (page.message.map { "\n\($0)\n" } ?? "")
    }

    private static func escaped(_ text: String) -> String {
        let output = ByteBuffer()
        var text = text
        text.withUTF8 { bytes in
            if let base = bytes.baseAddress { HTMLEscaping.append(base, count: bytes.count, to: output) }
        }
        return String(decoding: output.written, as: UTF8.self)
    }

    private static func plainPage(_ error: ErrorPage) -> String {
        let message = error.message.map { "<p>\(Self.escaped($0))</p>" } ?? ""
        return """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>\(error.title)</title>
            <h1>\(error.status) \(error.title)</h1>\(message)</html>

            """
    }
}
