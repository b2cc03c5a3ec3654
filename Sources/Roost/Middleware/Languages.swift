import HTTPTypes

/// Middleware that chooses the language of messages about errors and input: the client's best one (`Accept-Language`,
/// RFC 9110 §12.5.4), or else the first.
///
///     let languages = Languages([.english, MessageTable("de", ["Must not be empty.": "Darf nicht leer sein.", …])])
///     Application(middleware: [languages] + Application.standardMiddleware()) { routes in … }
///
/// With a cookie and a parameter of the query, a visitor chooses by a link: `<a href="?language=de">Deutsch</a>`.
///
/// Handlers and page values read ``Request/messages``, whose `language` says which was chosen. Responses say that they
/// vary with the language, except files, which are the same for everybody (`Vary`, RFC 9110 §12.5.5). Those with a
/// status of 400 or above also say which it is.
public struct Languages: Filter {
    let tables: [MessageTable]
    private let tags: [String]
    private let cookie: String?
    private let parameter: String?

    /// Creates the middleware.
    /// - Parameters:
    ///   - tables: The messages of each language; the first is for clients that like none of them.
    ///   - cookie: The name of a cookie with the language that a visitor has chosen, which goes before the client's
    ///     own; nil for none.
    ///   - parameter: The name of a parameter by which a link chooses; nil for none. Such a link sets the cookie for a
    ///     year, and leads back to the same page without the parameter.
    public init(_ tables: [MessageTable], cookie: String? = nil, parameter: String? = nil) {
        precondition(parameter == nil || cookie != nil, "A choice by a link is kept in a cookie: name one.")
        self.tables = tables
        self.cookie = cookie
        self.parameter = parameter
        tags = tables.map(\.language)
    }

    /// Tells the request, or keeps what a link has chosen.
    public func before(_ request: inout Request) throws -> Response? {
        if let response = try choice(by: request) { return response }
        request[Request.MessageTableKey.self] =
            table(cookie.flatMap { request.cookie($0) }) ?? preferred(by: request) ?? tables.first
        return nil
    }

    /// The way back from a link that has chosen a language.
    private func choice(by request: Request) throws -> Response? {
        guard let parameter, let cookie, request.method == .get, let table = table(request.query[parameter])
        else { return nil }
        let rest = Form(request.query.fields.filter { $0.name != parameter }.map { ($0.name, $0.value) })
            .urlEncoded
        let query = rest.isEmpty ? "" : "?" + rest
        // Whoever sends `//other.example` stays here, too.
        let location = LocalPath(request.bytes.text(request.head.path)).map { $0.text + query } ?? "/" + query
        var response = Response.redirect(to: location)
        response.headers[.cacheControl] = "no-store"
        try response.setCookie(Cookie(name: cookie, value: table.language, maxAge: .seconds(31_536_000)))
        return response
    }

    private func table(_ language: String?) -> MessageTable? {
        language.flatMap { language in tables.first { $0.language == language } }
    }

    private func preferred(by request: Request) -> MessageTable? {
        let language = tables.count > 1 ? request.preferredLanguage(of: tags) : nil
        return table(language)
    }

    /// Says that a response depends on the language.
    public func after(_ response: inout Response, to request: Request) {
        guard tables.count > 1, !response.isFile(for: request) else { return }
        response.headers.addToVary(.acceptLanguage)
        if cookie != nil { response.headers.addToVary(.cookie) }
        if response.status.code >= 400, !response.headers.contains(.contentLanguage) {
            response.headers[.contentLanguage] = request.messages.language
        }
    }
}
