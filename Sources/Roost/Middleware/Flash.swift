import HTTPTypes

/// Middleware that carries messages over a redirect to the next page, which shows them once: `try request.flash("Ann
/// was added.")`.
///
/// They travel in a signed cookie (``SignedCookie``), so no session is needed, and all instances of an application with
/// the same key understand each other. Over plain HTTP the cookie is set on this machine's loopback only, as that of
/// ``Sessions``. Place it behind ``ErrorPages``.
///
/// A page shows them with the help of the application's `pageValues`, which take them from the request:
///
///     pageValues: { request in SiteValues(flash: request.takeFlash()) }
///
///     {{#flash}}<p role="status">{{.}}</p>{{/flash}}
public struct Flash: Filter {
    private let cookies: FlashCookies
    private let isHTTPS: Bool

    /// Messages that no page has shown so long after the newest of them are dropped.
    private static let maxAge = Duration.seconds(300)

    /// Creates the middleware with a key.
    /// - Parameters:
    ///   - key: The key that the messages are signed with.
    ///   - isHTTPS: Whether browsers reach the site over HTTPS. A trusted proxy's word takes
    ///     precedence over this.
    public init(key: SigningKey, isHTTPS: Bool) {
        cookies = FlashCookies(key: key, maxAge: Self.maxAge)
        self.isHTTPS = isHTTPS
    }

    /// Gives the request a place for messages.
    public func before(_ request: inout Request) -> Response? {
        let messages = FlashMessages(cookies, isSecure: request.isHTTPS(orElse: isHTTPS))
        // A live page, perhaps in another tab, may fetch itself before the page that the messages are for is asked for.
        if request.headers[.liveRefresh] != nil { messages.keep() }
        request[FlashMessages.Key.self] = messages
        return nil
    }

    /// Leaves the messages that came with the request for the next page: an error page's cookie cannot be set here.
    public func recover(from error: any Error, in request: Request) throws -> Response {
        request[FlashMessages.Key.self]?.keep()
        throw error
    }

    /// Sets the cookie for new messages, behind those that have not been shown yet, and removes that of messages that
    /// have been.
    public func after(_ response: inout Response, to request: Request) throws {
        guard let messages = request[FlashMessages.Key.self] else { return }
        let (new, hasShown, isAsked) = messages.state
        guard hasShown || !new.isEmpty, request.mayKeepCookie(orElse: isHTTPS) else {
            if isAsked { response.keepForVisitorsWithoutCookie() }
            return
        }
        response.headers[.cacheControl] = "no-store"
        if new.isEmpty { return try messages.cookie.remove(from: &response) }
        let waiting = hasShown ? [] : messages.received(in: request) ?? []
        try messages.cookie.set(Self.newest(of: waiting + new).joined(separator: "\n"), on: &response)
    }

    /// The messages, without the oldest ones of too many; the newest is always among them.
    private static func newest(of messages: [String]) -> ArraySlice<String> {
        var size = -1
        let fitting = messages.reversed().prefix { message in
            size += message.utf8.count + 1
            return size <= FlashMessages.maximumSize
        }
        return messages.suffix(max(fitting.count, 1))
    }
}

extension Response {
    /// Tells caches that the response is for those without a cookie, which was looked for and not found. Some caches
    /// also keep what does not say how it may be kept; where that depends on another field than `Accept-Encoding`
    /// already, it is left as it is.
    mutating func keepForVisitorsWithoutCookie() {
        let cacheControl = headers[.cacheControl]
        let dependsOnOthers = headers[.vary].map { $0 != HTTPField.Name.acceptEncoding.rawName } ?? false
        guard cacheControl != "no-store", cacheControl != nil || !dependsOnOthers else { return }
        headers.addToVary(.cookie)
    }
}

extension Request {
    /// Leaves a message in the visitor's language (``messages``) for the next page that the browser shows:
    ///
    ///     try request.flash(Sentence("{name} was added.", ["name": user.name]))
    ///
    /// A plain text, `request.flash("Saved.")`, is shown as it is.
    /// - Throws: An error when no ``Flash`` middleware is around the route.
    public func flash(_ sentence: Sentence) throws { try flash(messages.text(sentence)) }
}
