public import Roost
import Synchronization

/// Middleware that carries out a `POST` or `PATCH` with a key only once, however often it is sent: a repetition gets
/// the response to the first request (draft-ietf-httpapi-idempotency-key-header).
///
///     routes.group(middleware: [auth.requireUser(scope: "nests:write"), IdempotencyKeys(database)]) { … }
///
///     POST /nests
///     Idempotency-Key: "8e03978e-40d5-43dd-bc93-6894a57f9324"
///
/// ``migrations`` create its table, for any number of instances that share the database. Put it inside the guard that
/// decides who may send the request: a repetition gets the stored response and reaches nothing further in. Put it
/// inside ``ErrorPages``, too: outside them, it could not see which error was thrown.
///
/// - A key belongs to one caller, method, host and path. A request with the same key but another query, content type or
///   body is refused with 422; one that comes while the first is under way, with 409.
/// - Responses with a status below 400 are kept, without `Set-Cookie`. After an error the key is free again, so that
///   the request can be repeated.
/// - The handler goes on when its client leaves, and its response is kept. A server that drains does not wait for it.
///   At most 100 requests of an account (or else an address) may be under way, and 1,000 in all; others get 503.
/// - If the database cannot be reached when a response is to be kept or a key to be freed, that is tried again after 1,
///   2, 4 … 10 seconds for `attemptTime`, and for five seconds when the program ends. A repetition gets 503 or 409
///   until then. At most 1,000 requests and 16 MiB of responses wait; of responses beyond that, only their existence is
///   kept.
///
/// If the program ends after the handler has changed something and before its response is kept, nobody can tell how far
/// it came: the key is free after `attemptTime`, and a repetition runs the handler again. The same is true if the
/// database cannot be written until then, if the handler throws ``DatabaseError/outcomeUnknown(_:)`` or `handleForm`
/// shows it, and for a handler that takes longer than `attemptTime`.
public struct IdempotencyKeys: DescribedMiddleware {
    private let table: IdempotencyTable
    private let isRequired: Bool
    private let maximumRequestSize: Int
    private let caller: (@Sendable (Request) async throws -> String)?
    let attempts = IdempotencyAttempts()

    /// The most characters of a key.
    private static let maximumLength = 255

    /// The migrations that make the table, for the program's own list.
    public static var migrations: [Migration] { [IdempotencyTable.migration] }

    /// Creates the middleware with a table in a database.
    /// - Parameters:
    ///   - isRequired: Whether a `POST` or `PATCH` without a key is refused with 400.
    ///   - lifetime: The time for which a response is kept, counted from the end of its request.
    ///   - attemptTime: The time after which an unfinished request counts as lost; choose more than any handler takes.
    ///   - maximumRequestSize: The most bytes of a body that comes with a key; a larger one gets 413.
    ///   - maximumResponseSize: The most bytes of a response that is kept. A repetition of a request with a larger
    ///     response, or with one that comes over time, gets 409: it is not carried out again.
    ///   - caller: Returns a text that no two callers share, so that nobody gets another's response. Nil uses the
    ///     account that a surrounding guard of `RoostAuth` has found; without one, `Authorization` or else the address,
    ///     with all cookies. Pass a function if callers identify themselves in another way, such as by `X-API-Key`:
    ///     behind one address they would share their keys. Requests are also counted by this text, so return only what
    ///     has been checked.
    public init(
        _ database: Database, isRequired: Bool = false, lifetime: Duration = .seconds(24 * 60 * 60),
        attemptTime: Duration = .seconds(5 * 60), maximumRequestSize: Int = 1 << 20,
        maximumResponseSize: Int = 256 << 10,
        caller: (@Sendable (Request) async throws -> String)? = nil
    ) {
        table = IdempotencyTable(
            database, lifetime: lifetime.wholeSeconds, attemptTime: attemptTime.wholeSeconds,
            maximumResponseSize: maximumResponseSize)
        self.isRequired = isRequired
        self.maximumRequestSize = maximumRequestSize
        self.caller = caller
    }

    /// The field `Idempotency-Key` and the statuses 400, 409 and 422, for the API's description.
    public var effects: MiddlewareEffects {
        MiddlewareEffects(
            responses: [
                .badRequest: "The `Idempotency-Key` is \(isRequired ? "missing or " : "")malformed, or the body is.",
                .conflict: "A request with this `Idempotency-Key` is under way, or its response was not kept.",
                .unprocessableContent:
                    "A value is missing or is not allowed, or the `Idempotency-Key` belongs to another request.",
            ],
            requestHeaders: [
                .idempotencyKey: .init(
                    "A new text for each request, such as a UUID, and again to repeat it.", isRequired: isRequired,
                    pattern: Self.pattern)
            ],
            methods: Self.methods)
    }

    /// The keys that ``key(_:)`` takes.
    private static let pattern = "^(\(characters)|\"\(characters)\")$"
    private static let characters = #"[!#-+\--:<-\[\]-~]{1,\#(maximumLength)}"#

    private static let methods: Set<HTTPRequest.Method> = [.post, .patch]

    /// Carries out the request, or repeats its response.
    /// - Throws: ``HTTPError`` with 400, 409, 413, 422 or 503; any error of the handler or of the database.
    public func respond(to request: Request, next: Next) async throws -> Response {
        guard Self.methods.contains(request.method) else { return try await next(request) }
        guard let field = request.headers[.idempotencyKey] else {
            if isRequired { throw Self.missing }
            return try await next(request)
        }
        guard let key = Self.key(field) else { throw Self.malformed }
        var request = request
        request.body = try await request.body.collect(upTo: maximumRequestSize)
        let sender = try await caller?(request) ?? Self.sender(of: request)
        // Cookies and an `Authorization` that nobody has checked may be new in each request.
        let counted = caller == nil ? Self.accountOrAddress(of: request) : sender
        try attempts.begin(of: counted)
        defer { attempts.end(of: counted) }
        let claim = try await claim(key, of: sender, request)
        if let response = try await table.begin(claim) { return response }
        // Not a child task: it goes on when the client leaves, because that is when the response will be asked for.
        return try await toTheEnd { [request] in try await carryOut(request, claim, next) }
    }

    private func carryOut(_ request: Request, _ claim: IdempotencyClaim, _ next: Next) async throws -> Response {
        // The change may have been made: nobody else makes it before `attemptTime` is over.
        let isOutcomeUnknown = Atomic(false)
        let note: ErrorLog.Value = { error, _ in
            guard case DatabaseError.outcomeUnknown = error.withoutFields else { return }
            isOutcomeUnknown.store(true, ordering: .relaxed)
        }
        // A form may show the error, and return its page.
        var request = request
        let log = request[ErrorLog.self]
        request[ErrorLog.self] = { error, request in
            note(error, request)
            log?(error, request)
        }
        do {
            let response = try await next(request)
            if response.status.code < 400 {
                await table.keep(response, for: claim)
            } else if !isOutcomeUnknown.load(ordering: .relaxed) {
                await table.release(claim)
            }
            return response
        } catch {
            note(error, request)
            if !isOutcomeUnknown.load(ordering: .relaxed) { await table.release(claim) }
            throw error
        }
    }

    /// Waits for the deletion of expired keys, for tests.
    func settle() async { await table.bookkeeping.settle() }

    /// The place of a key, and what its request asks for. Digests keep the parts apart, whatever is in them.
    private func claim(_ key: String, of sender: String, _ request: Request) async throws -> IdempotencyClaim {
        let place = [sender, request.method.rawValue, request.authority, request.path, key]
        // Routing tells `%2F` from a slash, which `path` does not.
        let content = [request.target, request.headers[.contentType] ?? ""]
        return IdempotencyClaim(
            id: Self.digest(place.map { SHA256.hexadecimal(of: $0.utf8) }),
            fingerprint: Self.digest(
                content.map { SHA256.hexadecimal(of: $0.utf8) } + [SHA256.hexadecimal(of: try request.body.bytes)]),
            attempt: .random(in: 1...(.max)))
    }

    private static func digest(_ parts: [String]) -> String { SHA256.hexadecimal(of: parts.joined().utf8) }

    private static func accountOrAddress(of request: Request) -> String {
        if let id = request.loggedAccountID { return "account \(id)" }
        return request.clientNetwork.map { "\($0)" } ?? "local"
    }

    private static func sender(of request: Request) -> String {
        if let id = request.loggedAccountID { return "account \(id)" }
        let cookies = request.headers[.cookie] ?? ""
        // A proxy may want the same `Authorization` of everybody.
        if let field = request.headers[.authorization] { return "authorization \(field) \(cookies)" }
        let address = request.clientAddress.map { "\($0)" } ?? ""
        return "address \(address) \(cookies)"
    }

    /// The key in a field: a string (RFC 8941 §3.3.3), or the same without quotes, as many clients send it.
    static func key(_ field: String) -> String? {
        let bytes = Array(field.utf8)
        let isQuoted = bytes.count > 1 && bytes.first == UInt8(ascii: "\"") && bytes.last == UInt8(ascii: "\"")
        let key = isQuoted ? bytes.dropFirst().dropLast() : bytes[...]
        guard !key.isEmpty, key.count <= maximumLength else { return nil }
        // Visible characters without those that separate or escape.
        let isAllowed = key.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\",;\\".utf8.contains($0) }
        return isAllowed ? String(decoding: key, as: UTF8.self) : nil
    }

    private static let missing = HTTPError(
        .badRequest, "Send a field Idempotency-Key with a new text, such as a UUID; repeat it to repeat the request.")

    private static let malformed = HTTPError(
        .badRequest,
        """
        The Idempotency-Key must be a string of 1 to \(maximumLength) visible ASCII characters without \
        quotation marks, commas, semicolons and backslashes.
        """)
}

/// The number of requests with a key that are under way. It has a limit, because none on connections holds for them: a
/// handler goes on when its client has left.
final class IdempotencyAttempts: Sendable {
    /// The most of all callers: with what a usual handler holds, tens of megabytes.
    static let maximum = 1000
    /// The most of one caller, so that it takes ten to keep everybody else out. Whoever repeats requests one by one
    /// never has so many.
    static let maximumOfCaller = 100

    private let state = Mutex((count: 0, ofCallers: [ExactText: Int]()))

    /// Counts a request until its ``end(of:)``.
    /// - Throws: ``HTTPError`` with 503 where it would be one too many.
    func begin(of caller: String) throws {
        let caller = ExactText(caller)
        let isCounted = state.withLock { state in
            let count = state.ofCallers[caller] ?? 0
            guard state.count < Self.maximum, count < Self.maximumOfCaller else { return false }
            state.count += 1
            state.ofCallers[caller] = count + 1
            return true
        }
        guard isCounted else { throw Self.tooMany }
    }

    /// Counts a request no more that has begun.
    func end(of caller: String) {
        let caller = ExactText(caller)
        state.withLock { state in
            state.count -= 1
            let rest = (state.ofCallers[caller] ?? 0) - 1
            state.ofCallers[caller] = rest > 0 ? rest : nil
        }
    }

    private static let tooMany = HTTPError(
        .serviceUnavailable, "Too many requests with an Idempotency-Key are under way. Repeat this one in a while.",
        headers: [.retryAfter: "1"])
}

extension HTTPField.Name {
    static let idempotencyKey = known("Idempotency-Key")
}
