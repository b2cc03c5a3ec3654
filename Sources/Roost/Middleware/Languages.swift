import HTTPTypes

/// Middleware that chooses the language of messages about errors and input: the client's best one (`Accept-Language`,
/// RFC 9110 §12.5.4), or else the first.
///
///     let languages = Languages([.english, MessageTable("de", ["Must not be empty.": "Darf nicht leer sein.", …])])
///     Application(middleware: [languages] + Application.standardMiddleware()) { routes in … }
///
/// With a cookie, a visitor chooses by a link: `<a href="?language=de">Deutsch</a>`.
///
/// Handlers and page values read ``Request/messages``, whose `language` says which was chosen. Responses say that they
/// vary with the language, except files, which are the same for everybody (`Vary`, RFC 9110 §12.5.5). Those with a
/// status of 400 or above also say which it is.
public struct Languages: Filter {
    let tables: [MessageTable]
    private let tags: [String]
    private let cookie: String?

    /// Creates the middleware.
    /// - Parameters:
    ///   - tables: The messages of each language; the first is for clients that like none of them.
    ///   - cookie: The name of a cookie with the language that a visitor has chosen, which goes before the client's
    ///     own; nil for none. A link chooses, and sets the cookie for a year: a member of its query has the same name.
    public init(_ tables: [MessageTable], cookie: String? = nil) {
        self.tables = tables
        self.cookie = cookie
        tags = tables.map(\.language)
    }

    /// Tells the request.
    public func before(_ request: inout Request) -> Response? {
        request[Request.MessageTableKey.self] =
            chosen(by: request) ?? table(cookie.flatMap { request.cookie($0) }) ?? preferred(by: request)
            ?? tables.first
        return nil
    }

    /// The table that a link has chosen.
    private func chosen(by request: Request) -> MessageTable? { table(cookie.flatMap { request.query[$0] }) }

    private func table(_ language: String?) -> MessageTable? {
        language.flatMap { language in tables.first { $0.language == language } }
    }

    private func preferred(by request: Request) -> MessageTable? {
        let language = tables.count > 1 ? request.preferredLanguage(of: tags) : nil
        return table(language)
    }

    /// Says that a response depends on the language, and keeps one that a link has chosen.
    public func after(_ response: inout Response, to request: Request) throws {
        guard tables.count > 1, !response.body.isFile else { return }
        response.headers.addToVary(.acceptLanguage)
        if let cookie {
            response.headers.addToVary(.cookie)
            if let chosen = chosen(by: request) {
                let year = Duration.seconds(31_536_000)
                try response.setCookie(Cookie(name: cookie, value: chosen.language, maxAge: year))
            }
        }
        if response.status.code >= 400, !response.headers.contains(.contentLanguage) {
            response.headers[.contentLanguage] = request.messages.language
        }
    }
}
