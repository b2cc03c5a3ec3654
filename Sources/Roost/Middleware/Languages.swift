import HTTPTypes

/// Middleware that chooses the language of messages about errors and input: the one that the client prefers
/// (`Accept-Language`, RFC 9110 §12.5.4), or else the first.
///
///     let languages = Languages([.english, MessageTable("de", ["Must not be empty.": "Darf nicht leer sein.", …])])
///     Application(middleware: [languages] + Application.standardMiddleware()) { routes in … }
///
/// With a cookie and a parameter of the query, a visitor chooses by a link: `<a href="?language=de">Deutsch</a>`.
///
/// Handlers and page values read ``Request/messages``, whose `language` says which was chosen. Responses declare that
/// they vary with the language (`Vary`, RFC 9110 §12.5.5), except files, which are the same for everybody. Those with a
/// status of 400 or above also name it (`Content-Language`).
public struct Languages: Filter {
    let tables: [MessageTable]
    private let tags: [String]
    private let cookie: String?
    private let parameter: String?
    private let isHTTPS: Bool

    /// Creates the middleware.
    /// - Parameters:
    ///   - tables: The messages of each language; the first is for clients that prefer none of them.
    ///   - cookie: The name of a cookie with the language that a visitor has chosen, which takes precedence over
    ///     `Accept-Language`; nil for none.
    ///   - parameter: The name of a query parameter by which a link chooses; nil for none. Such a link sets the cookie
    ///     for a year, and redirects to the same page without the parameter. It works only if `Languages` is in the
    ///     list of an application or a group, because the redirect passes through all other middleware.
    ///   - isHTTPS: Whether browsers reach the site over HTTPS, so that the cookie is for that only. A trusted proxy's
    ///     word takes precedence over this.
    public init(
        _ tables: [MessageTable], cookie: String? = nil, parameter: String? = nil, isHTTPS: Bool = false
    ) {
        precondition(parameter == nil || cookie != nil, "A choice by a link is kept in a cookie: name one.")
        self.tables = tables
        self.cookie = cookie
        self.parameter = parameter
        self.isHTTPS = isHTTPS
        tags = tables.map(\.language)
    }

    /// Gives the request the table of its language.
    public func before(_ request: inout Request) throws -> Response? {
        request[Request.MessageTableKey.self] =
            table(cookie.flatMap { request.cookie($0) })
            ?? table(tables.count > 1 ? request.preferredLanguage(of: tags) : nil) ?? tables.first
        return nil
    }

    /// The filter that responds to links that choose; nil where none do.
    fileprivate var links: LanguageLinks? { parameter == nil ? nil : LanguageLinks(languages: self) }

    /// The way back from a link that has chosen a language.
    fileprivate func choice(by request: Request) throws -> Response? {
        guard let parameter, let cookie, request.method == .get, let table = table(request.query[parameter])
        else { return nil }
        let rest = Form(request.query.fields.filter { $0.name != parameter }.map { ($0.name, $0.value) })
            .urlEncoded
        let query = rest.isEmpty ? "" : "?" + rest
        // Whoever sends `//other.example` stays here, too.
        let location = LocalPath(request.bytes.text(request.head.path)).map { $0.text + query } ?? "/" + query
        var response = Response.redirect(to: location)
        response.headers[.cacheControl] = "no-store"
        let isSecure = request.isHTTPS(orElse: isHTTPS)
        try response.setCookie(
            Cookie(name: cookie, value: table.language, maxAge: .seconds(31_536_000), isSecure: isSecure))
        return response
    }

    private func table(_ language: String?) -> MessageTable? {
        language.flatMap { language in tables.first { $0.language == language } }
    }

    /// Marks the response as depending on the language, and names the language of an error.
    public func after(_ response: inout Response, to request: Request) {
        guard !response.isFile(for: request) else { return }
        // Those that a handler returns, a refused form for one, have it as those of ErrorPages do.
        if response.status.code >= 400, !response.headers.contains(.contentLanguage) {
            response.headers[.contentLanguage] = request.messages.language
        }
        guard tables.count > 1 else { return }
        response.headers.addToVary(.acceptLanguage)
        if cookie != nil { response.headers.addToVary(.cookie) }
    }
}

/// The inner half of ``Languages``: what a link has chosen is kept behind all other middleware, since ``Languages``
/// stands before those that log, check and protect a request.
private struct LanguageLinks: Filter {
    let languages: Languages

    func before(_ request: inout Request) throws -> Response? { try languages.choice(by: request) }
}

extension [any Middleware] {
    /// The same middleware with the inner half of each ``Languages`` behind it.
    var withLanguageLinks: [any Middleware] { self + compactMap { ($0 as? Languages)?.links } }
}
