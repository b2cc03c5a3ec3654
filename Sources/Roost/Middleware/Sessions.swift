import HTTPTypes
import Logging

/// Middleware that finds a request's ``Session`` by its cookie when a handler asks for it, and saves its changes.
///
/// The cookie is `HttpOnly; SameSite=Lax`; over HTTPS it is `__Host-session; Secure`. Over plain HTTP it is set only
/// where nobody can intercept it: the peer and the host must be this machine's loopback, no field may tell of a proxy
/// (`Forwarded`, `X-Forwarded-…`, `Via`, `X-Real-IP`), and `Origin` and `Referer`, if sent, must be on loopback too.
/// Behind a proxy, state with `isHTTPS` that the site is reached over HTTPS, or trust the proxy's word
/// (``ServerConfiguration/trustedProxies``), which takes precedence over `isHTTPS`.
///
/// An event stream or a WebSocket whose middleware or handler has asked for its session ends with it: at once when it
/// is ended in this process, and within ten seconds when another instance ends it, or its time is over.
///
/// A part of a site can have sessions of its own, under another name and only there:
///
///     let visits = Sessions(MemorySessionStore(), isHTTPS: true, cookieName: "visits", path: "/gallery")
///     routes.group(Path("/gallery"), middleware: [visits]) { routes in … }
///
/// There, ``Request/session`` is one of these. A visitor who has signed in outside is known there, too.
///
/// Changes are saved when the status of the response is below 500. This includes an ``HTTPError`` or a
/// ``ResponseError`` that is thrown, as when a form is refused, so it does not matter whether ``ErrorPages`` comes
/// before or after this. After a failure of the application only the end of a session is saved, because half of a
/// handler's work may be missing (as in Django). A failure of the store after a thrown error does not hide that error:
/// the client gets the error's response, and ``ErrorPages`` logs both.
public struct Sessions: Filter {
    private let isHTTPS: Bool
    private let plain, secure: SessionKeeper

    /// Creates the middleware for a store.
    /// - Parameters:
    ///   - store: The store that keeps sessions.
    ///   - isHTTPS: Whether browsers reach the site over HTTPS.
    ///   - cookieName: The cookie's name. Over HTTPS it gets the prefix `__Host-`, so that no other host can set it.
    ///     Browsers accept that only with the path `/`; with any other path, the prefix is `__Secure-`.
    ///   - path: Browsers send the cookie with requests for this path and those below it.
    public init(_ store: any SessionStore, isHTTPS: Bool, cookieName: String = "session", path: String = "/") {
        self.isHTTPS = isHTTPS
        let store = store.forCookie(cookieName)
        let logger = Logger.current(or: "roost")
        plain = SessionKeeper(store, cookieName: cookieName, path: path, isHTTPS: false, logger)
        secure = SessionKeeper(store, cookieName: cookieName, path: path, isHTTPS: true, logger)
    }

    /// Whether a browser that sent this request can have a session.
    public func isPossible(for request: Request) -> Bool { request.mayKeepCookie(orElse: isHTTPS) }

    /// Gives the request a visit, which looks up its session if somebody asks for it.
    public func before(_ request: inout Request) -> Response? {
        request[Visit.Key.self] = Visit(keeper(of: request), inside: request[Visit.Key.self])
        return nil
    }

    /// Saves the session, if it was read, and sets its cookie. Only then may the response have to wait.
    public func after(_ response: inout Response, to request: Request) {
        let keeper = keeper(of: request)
        guard let (visit, found) = request[Visit.Key.self]?.end(of: keeper) else { return }
        guard let session = found else {
            if visit.hasLookedForToken { response.keepForVisitorsWithoutCookie() }
            return keeper.endWithSession(&response.body, of: visit, request)
        }
        keeper.endWithSession(&response.body, session)
        // Most requests of a session change nothing in it.
        if keeper.keepUnchanged(session, response.status, in: &response.headers) { return }
        response = Response(deferred: .work { [response] in try await keeper.kept(session, for: $0, response) })
    }

    /// Saves the session, and throws the error again, with the session's cookie if the error is meant for the client.
    public func recover(from error: any Error, in request: Request) throws -> Response {
        let keeper = keeper(of: request)
        guard let session = request[Visit.Key.self]?.end(of: keeper)?.session else { throw error }
        return Response(deferred: .work { throw await keeper.kept(session, for: $0, error) })
    }

    private func keeper(of request: Request) -> SessionKeeper { request.isHTTPS(orElse: isHTTPS) ? secure : plain }
}
