import HTTPTypes

/// Finds a request's ``Session`` by its cookie when the request asks for it, and saves what the request has changed.
///
/// The cookie is `HttpOnly; SameSite=Lax`; over HTTPS it is `__Host-session; Secure`. Over plain HTTP it is set only
/// where nobody can intercept it: the peer and the host must be this machine's loopback, no field may tell of a proxy
/// (`Forwarded`, `X-Forwarded-…`, `Via`, `X-Real-IP`), and `Origin` and `Referer`, if sent, must be on loopback too.
/// Behind a proxy, state with `isHTTPS` that the site is reached over HTTPS, or trust the proxy's word
/// (``ServerConfiguration/trustedProxies``), which takes precedence over `isHTTPS`.
///
/// An event stream or a WebSocket whose request has asked for its session ends with it: at once when it is ended in
/// this process, and within ten seconds when another instance ends it, or its time is over.
///
/// A part of a site can have sessions of its own, under another name and only there:
///
///     let visits = Sessions(MemorySessionStore(), isHTTPS: true, cookieName: "visits", path: "/gallery")
///     routes.group(Path("/gallery"), middleware: [visits]) { routes in … }
///
/// Changes are saved when the status of the response is below 500. This includes an ``HTTPError`` or a
/// ``ResponseError`` that is thrown, as when a form is refused, so it does not matter on which side ``ErrorPages``
/// stands. After a failure of the application only the end of a session is saved, because half of a handler's work may
/// be missing (as in Django). When the store fails after a thrown error, it does not hide that error: the client gets
/// the error's response, and ``ErrorPages`` logs both.
public struct Sessions: Middleware {
    private let store: any SessionStore
    let isHTTPS: Bool
    private let name: String
    private let cookieName: String
    private let path: String

    /// - Parameters:
    ///   - store: The store that keeps sessions.
    ///   - isHTTPS: Whether browsers reach the site over HTTPS.
    ///   - cookieName: The cookie's name. Over HTTPS `__Host-` stands before it, so that no other host can set it; with
    ///     another path than `/`, which browsers do not take together with that, `__Secure-`.
    ///   - path: Browsers send the cookie with requests for this path and those below it.
    public init(_ store: any SessionStore, isHTTPS: Bool, cookieName: String = "session", path: String = "/") {
        self.store = store
        self.isHTTPS = isHTTPS
        self.path = path
        name = cookieName
        self.cookieName = isHTTPS ? (path == "/" ? "__Host-" : "__Secure-") + cookieName : cookieName
    }

    /// Whether a browser that sent this request can have a session.
    public func isPossible(for request: Request) -> Bool {
        request.isHTTPS(orElse: isHTTPS) || request.isOnLoopback
    }

    /// The source that looks them up in the store, by their cookie.
    var source: SessionSource { SessionSource(store, cookieName: cookieName) }

    /// The same sessions for requests over HTTPS, or over plain HTTP.
    func overHTTPS(_ isHTTPS: Bool) -> Sessions {
        Sessions(store, isHTTPS: isHTTPS, cookieName: name, path: path)
    }

    /// Gives the request its session, and the browser its cookie with the response.
    public func respond(to request: Request, next: Next) async throws -> Response {
        let step = SessionsStep(self, ImmediateEnd(next.responder))
        return try await ImmediateChain(step).respondEitherWay(to: request)
    }

    /// The response with the session's cookie.
    /// - Throws: The error of the store, with the cookie that takes an ended session away.
    func kept(
        _ session: Session.State, for request: Request, _ response: Response
    ) async throws -> Response {
        var response = response
        let count = response.headers[values: .setCookie].count
        do {
            try await keep(session, for: request, response.status, in: &response.headers)
            return response
        } catch {
            let removal = response.headers[values: .setCookie].dropFirst(count).last
            guard !(error is CancellationError), let removal else { throw error }
            var known = HTTPError(converting: error) ?? HTTPError(.internalServerError)
            known.headers.append(.setCookie, removal)
            throw SessionError(error: error, storeError: nil, httpError: known)
        }
    }

    /// The error that ends the request; if the client may know it, it carries the cookie.
    func kept(
        _ session: Session.State,
        for request: Request,
        _ error: any Error
    ) async -> any Error {
        var known = HTTPError(converting: error)
        var headers = known?.headers ?? [:]
        var storeError: (any Error)?
        do {
            try await keep(session, for: request, known?.status ?? .internalServerError, in: &headers)
        } catch {
            if !error.endsCancelledTask { storeError = error }
        }
        known?.headers = headers
        let isAlone = storeError == nil && (known == nil || error is HTTPError)
        return isAlone ? known ?? error : SessionError(error: error, storeError: storeError, httpError: known)
    }

    /// Does what ``keep(_:for:_:in:)`` does, if there is nothing to save and nothing to tell the browser; otherwise
    /// nothing, and returns false.
    func keepUnchanged(_ session: Session.State, _ status: HTTPResponse.Status, in headers: inout Headers) -> Bool {
        guard !session.isChanged, !session.isEnded, !session.isRenewed else { return false }
        if let token = session.token, status.code < 500,
            ExactText(store.cookieValue(of: session.values, for: token)) != ExactText(token)
        {
            return false
        }
        if session.token != nil || !session.values.isEmpty { headers[.cacheControl] = "no-store" }
        return true
    }

    /// Saves what the request has changed in its session, and sets the response's fields to match.
    func keep(
        _ session: Session.State,
        for request: Request,
        _ status: HTTPResponse.Status,
        in headers: inout Headers
    ) async throws {
        if session.token != nil || !session.values.isEmpty { headers[.cacheControl] = "no-store" }
        if session.isEnded, session.values.isEmpty || status.code >= 500 {
            guard let token = session.token else { return }
            // Also if the store fails, as on a full disk: then the browser forgets the session, at least.
            headers.append(.setCookie, try cookie("", maxAge: .zero).serialized())
            return try await remove(token)
        }
        guard status.code < 500 else { return }
        if let token = session.token, !session.isRenewed {
            let value = store.cookieValue(of: session.values, for: token)
            // Most requests of a session change nothing in it.
            guard session.isChanged || value != token, isPossible(for: request) else { return }
            if session.isChanged { try await store.update(session.values, for: token) }
            if value != token { headers.append(.setCookie, try cookie(value).serialized()) }
            return
        }
        guard session.isChanged || session.token != nil, isPossible(for: request) else { return }
        if let token = session.token { try await remove(token) }
        let token = Self.newToken()
        try await store.save(session.values, for: token)
        do {
            try await session.confirmation?()
        } catch {
            try await remove(token)
            throw error
        }
        let value = store.cookieValue(of: session.values, for: token)
        headers.append(.setCookie, try cookie(value).serialized())
    }

    /// Ends a session in the store, and with it the event streams and WebSockets that it has opened.
    private func remove(_ token: String) async throws {
        defer { LastingVisits.process.end(Session.id(of: Session.digest(ofToken: token))) }
        try await store.remove(token)
    }

    /// Lets an event stream or a WebSocket end with the session that opens it; any other body stays as it is.
    func endWithSession(_ body: inout Body, _ session: Session.State) {
        guard let content = body.lasting, let token = session.token else { return }
        // The request itself has ended the session that it came with.
        guard !session.isEnded, !session.isRenewed else { return }
        let watch = SessionWatch(store: store, token: token, owner: session.values[Session.ownerKey])
        body = content.ending { await watch($0) }
    }

    private func cookie(_ value: String, maxAge: Duration? = nil) -> Cookie {
        var cookie = Cookie(name: cookieName, value: value, maxAge: maxAge, isSecure: isHTTPS)
        cookie.path = path
        return cookie
    }

    /// 128 random bits from the system's generator, in hexadecimal.
    private static func newToken() -> String {
        (0..<2).map { _ in
            let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

/// An error of a handler, and what its session adds to it.
private struct SessionError: ResponseError, CustomStringConvertible {
    let error: any Error
    /// The error that kept the session from being saved; nil if there was none.
    let storeError: (any Error)?
    /// The error for the client, with the session's fields; nil if it is not meant for clients.
    let httpError: HTTPError?

    var description: String {
        storeError.map { "\(error); its session could not be saved: \($0)" } ?? "\(error)"
    }
}
