import HTTPTypes

/// Middleware that chooses the language of messages about errors and input: the client's best one (`Accept-Language`,
/// RFC 9110 §12.5.4), or else the first.
///
///     let languages = Languages([.english, MessageTable("de", ["Must not be empty.": "Darf nicht leer sein.", …])])
///     Application(middleware: [languages] + Application.standardMiddleware()) { routes in … }
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
    ///     own; nil for none.
    public init(_ tables: [MessageTable], cookie: String? = nil) {
        self.tables = tables
        self.cookie = cookie
        tags = tables.map(\.language)
    }

    /// Tells the request.
    public func before(_ request: inout Request) -> Response? {
        let cookie = cookie.flatMap { request.cookie($0) }
        request[Request.MessageTableKey.self] =
            tables.first { $0.language == cookie } ?? preferred(by: request) ?? tables.first
        return nil
    }

    private func preferred(by request: Request) -> MessageTable? {
        let language = tables.count > 1 ? request.preferredLanguage(of: tags) : nil
        return tables.first { $0.language == language }
    }

    /// Says that a response depends on the language.
    public func after(_ response: inout Response, to request: Request) {
        guard tables.count > 1, !response.body.isFile else { return }
        response.headers.addToVary(.acceptLanguage)
        if cookie != nil { response.headers.addToVary(.cookie) }
        if response.status.code >= 400, !response.headers.contains(.contentLanguage) {
            response.headers[.contentLanguage] = request.messages.language
        }
    }
}
