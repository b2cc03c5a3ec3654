import HTTPTypes
import Logging

/// Finds the sessions of one cookie in a store, and saves them: those of requests over HTTPS, or over plain HTTP.
final class SessionKeeper: Sendable {
    let store: any SessionStore
    /// The name of the cookie with the token.
    let cookieName: String
    private let path: String
    private let isHTTPS: Bool
    /// Takes what nobody can be told of any more.
    private let logger: Logger

    /// - Parameters: As in `Sessions`; the prefix of the cookie's name is added here.
    init(_ store: any SessionStore, cookieName: String, path: String, isHTTPS: Bool, _ logger: Logger) {
        self.store = store
        self.path = path
        self.isHTTPS = isHTTPS
        self.logger = logger
        self.cookieName = isHTTPS ? (path == "/" ? "__Host-" : "__Secure-") + cookieName : cookieName
    }

    /// The response with the session's cookie.
    /// - Throws: The error of the store, with the cookie that takes an ended session away, and without a time to try
    ///   again where the handler may have changed something.
    func kept(_ session: Session.State, for request: Request, _ response: Response) async throws -> Response {
        var response = response
        let count = response.headers[values: .setCookie].count
        do {
            try await keep(session, for: request, response.status, in: &response.headers)
            return response
        } catch {
            let removal = response.headers[values: .setCookie].dropFirst(count).last
            var known = HTTPError(converting: error) ?? HTTPError(.internalServerError)
            // What the handler did may stay, such as an order.
            let mayBeDone = !request.isSafe && response.status.code < 400 && known.status == .serviceUnavailable
            guard !(error is CancellationError), mayBeDone || removal != nil else { throw error }
            if mayBeDone { known = .outcomeUnknown }
            if let removal { known.headers.append(.setCookie, removal) }
            throw ErrorWithFields(error: error, httpError: known)
        }
    }

    /// The error that ends the request; if the client may know it, it carries the cookie.
    func kept(_ session: Session.State, for request: Request, _ error: any Error) async -> any Error {
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
        let remark = storeError.map { "its session could not be saved: \($0)" }
        return isAlone ? known ?? error : ErrorWithFields(error: error, httpError: known, remark: remark)
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
        note(session, in: &headers)
        return true
    }

    /// Tells caches that the response depends on the session: nobody may keep it, or, where there is none, only for
    /// those without a cookie.
    private func note(_ session: Session.State, in headers: inout Headers) {
        if session.token != nil || !session.values.isEmpty {
            headers[.cacheControl] = "no-store"
        } else {
            headers.addToVary(.cookie)
        }
    }

    /// Saves what the request has changed in its session, and sets the response's fields to match.
    private func keep(
        _ session: Session.State, for request: Request, _ status: HTTPResponse.Status, in headers: inout Headers
    ) async throws {
        note(session, in: &headers)
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
            guard session.isChanged || value != token, request.mayKeepCookie(orElse: isHTTPS) else { return }
            if session.isChanged {
                // The client may have gone. What the handler did may stay, such as an order: its session must say so.
                let changes = session.changes
                try await toTheEnd { [store] in try await store.change(changes, for: token) }
            }
            if value != token { headers.append(.setCookie, try cookie(value).serialized()) }
            return
        }
        guard session.isChanged || session.token != nil, request.mayKeepCookie(orElse: isHTTPS) else { return }
        let token = Hexadecimal.random()
        // The browser may have another token by now.
        guard let values = try await begin(session, token) else { return }
        do {
            try await session.confirmation?()
        } catch {
            try await remove(token)
            throw error
        }
        headers.append(.setCookie, try cookie(store.cookieValue(of: values, for: token)).serialized())
    }

    /// Stores a session under a new token, in place of the one that it came with.
    /// - Returns: Its values. If it has been ended meanwhile, they are those that the request itself has set, and nil
    ///   if it has set none; but if there is a confirmation, all are kept, and that decides.
    private func begin(_ session: Session.State, _ token: String) async throws -> [String: String]? {
        var values = session.values
        if let old = session.token {
            if session.isEnded {
                try await remove(old)
            } else {
                defer { endVisits(old) }
                if let values = try await store.replace(old, with: token, session.changes) { return values }
                if session.confirmation == nil { values = session.changes.compactMapValues { $0 } }
                if values.isEmpty { return nil }
            }
        }
        try await store.save(values, for: token)
        return values
    }

    /// Ends a session in the store, and with it the event streams and WebSockets that it has opened, also for a client
    /// that goes away meanwhile.
    private func remove(_ token: String) async throws {
        defer { endVisits(token) }
        try await toTheEnd { [store] in try await store.remove(token) }
    }

    private func endVisits(_ token: String) {
        LastingVisits.process.end(Session.id(of: Session.digest(ofToken: token)))
    }

    /// Lets an event stream or a WebSocket end with the session that opens it; any other body stays as it is.
    func endWithSession(_ body: inout Body, _ session: Session.State) {
        guard let content = body.lasting, let token = session.token else { return }
        // The request itself has ended the session that it came with.
        guard !session.isEnded, !session.isRenewed else { return }
        let watch = watch(session, token)
        body = content.ending { await watch($0) }
    }

    /// Lets an event stream or a WebSocket end with the session that its handler asks for. Until it asks, nothing is
    /// watched.
    func endWithSession(_ body: inout Body, of visit: Visit, _ request: Request) {
        guard let content = body.lasting, visit.token(of: request) != nil else { return }
        body = content.ending { [self] end in
            guard let session = await visit.whenKnown()?.snapshot, let token = session.token else { return }
            await watch(session, token)(end)
        }
    }

    private func watch(_ session: Session.State, _ token: String) -> SessionWatch {
        SessionWatch(store: store, token: token, owner: session.values[Session.ownerKey])
    }

    // MARK: After the response

    /// Ends a session whose response has gone.
    @discardableResult
    func endLate(_ token: String) -> Task<Void, Never> {
        Task {
            do {
                try await remove(token)
                // The values of some stores are in the cookie, which stays in the browser.
                guard try await store.isAlive(token) else { return }
                logLateEnd("its store cannot end it, only a response can")
            } catch {
                logLateEnd(LogText.escaped("\(error)"))
            }
        }
    }

    /// Logs a change of a session whose response has gone.
    func logLateChange(_ change: String) { log(LogText.escaped(change), "it is not saved") }

    /// Logs why a session was not ended whose response has gone.
    func logLateEnd(_ problem: String) { log("a session was ended", problem) }

    private func log(_ change: String, _ problem: String) {
        logger.error("After the response, as in the handler of a WebSocket, \(change): \(problem).")
    }

    private func cookie(_ value: String, maxAge: Duration? = nil) -> Cookie {
        var cookie = Cookie(name: cookieName, value: value, maxAge: maxAge, isSecure: isHTTPS)
        cookie.path = path
        return cookie
    }
}
