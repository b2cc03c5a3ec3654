import HTTPTypes
public import Logging

/// Turns errors into responses: problem details for programs (RFC 9457), a page for browsers.
///
/// An ``HTTPError`` says itself what the client may know. Any other error is logged with the request's id, and becomes
/// what a ``ResponseError`` says, or else, as a fault of the application, a 500 that says nothing of it, except in
/// development.
public struct ErrorPages: Middleware {
    /// What a page shows of an error.
    public struct Page: Encodable, Sendable {
        /// The status code: `404`.
        public let status: Int
        /// What the code means: `Not Found`.
        public let title: String
        /// What went wrong, for the visitor; nil when the title says it all.
        public let message: String?
        /// What the log calls the request.
        public let requestID: String?
    }

    private let logger: Logger
    private let explains: Bool
    private let page: (@Sendable (Page, Request) throws -> Response)?

    /// - Parameters:
    ///   - explains: Whether clients see the text of unexpected errors; for development only.
    ///   - page: Makes the page; without it a plain one is used.
    public init(
        _ logger: Logger,
        explains: Bool = false,
        page: (@Sendable (Page, Request) throws -> Response)? = nil
    ) {
        self.logger = logger
        self.explains = explains
        self.page = page
    }

    /// Answers with what an error becomes.
    public func respond(to request: Request, next: Next) async throws -> Response {
        do {
            return try await next(request)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return response(to: error, request)
        }
    }

    private func response(to error: any Error, _ request: Request) -> Response {
        let known = HTTPError(error)
        if !(error is HTTPError) {
            let text = "\(request.method) \(request.target): \(error)"
            logger.error("\(LogText.escaped(text)) \(request.id ?? "")")
        }
        let status = known?.status ?? .internalServerError
        let page = Page(
            status: status.code,
            title: status.reasonPhrase,
            message: known == nil && explains ? "\(error)" : known?.message,
            requestID: request.id
        )
        let parts = known?.pointer.map { [ProblemDetails.Part(pointer: "#" + $0, detail: page.message)] }
        var response = representation(of: page, parts, status, request)
        response.headers[.vary] = "Accept"
        let fields = known?.headers.list ?? []
        for field in fields { response.headers[field.name] = nil }
        for field in fields { response.headers.append(field.name, field.value) }
        return response
    }

    private func representation(
        of error: Page,
        _ parts: [ProblemDetails.Part]?,
        _ status: HTTPResponse.Status,
        _ request: Request
    ) -> Response {
        let accept = Accept(request.headers[.accept])
        guard accept.best(of: [.problem, .json, .html]) == .html else {
            return Response(
                status,
                "application/problem+json",
                Body((try? JSONCoder().encode(Self.details(error, parts))) ?? [])
            )
        }
        do {
            if var response = try page?(error, request) {
                response.status = status
                return response
            }
        } catch {
            logger.error("\(LogText.escaped("The error page failed itself: \(error)"))")
        }
        return .html(Self.plainPage(error), status: status)
    }

    private static func details(_ error: Page, _ parts: [ProblemDetails.Part]?) -> ProblemDetails {
        ProblemDetails(
            title: error.title,
            status: error.status,
            detail: error.message,
            requestID: error.requestID,
            errors: parts
        )
    }

    private static func escaped(_ text: String) -> String {
        let output = ByteBuffer()
        var text = text
        text.withUTF8 { bytes in
            if let base = bytes.baseAddress { HTMLEscaping.append(base, count: bytes.count, to: output) }
        }
        return String(decoding: output.written, as: UTF8.self)
    }

    private static func plainPage(_ error: Page) -> String {
        let message = error.message.map { "<p>\(Self.escaped($0))</p>" } ?? ""
        return """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>\(error.title)</title>
            <h1>\(error.status) \(error.title)</h1>\(message)</html>

            """
    }
}
