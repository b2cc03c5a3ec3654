public import Logging
public import Roost
public import RoostSQL

/// Authentication: accounts, passwords, sessions, API tokens, and a log of what has happened to them.
///
///     let auth = Auth(database, key: key, isHTTPS: true)
///     routes.post(Path("/login")) { request in
///         let input = try request.decode(SignInInput.self)
///         return try await auth.signIn(input, request).response(.redirect(to: input.localNext ?? "/"))
///     }
///     routes.group(middleware: [auth.requireUser()]) { routes in … }
public struct Auth: Sendable {
    /// The store of accounts.
    public let accounts: any AccountStore
    /// The store of sessions, for the ``Sessions`` middleware.
    public let sessions: any OwnedSessionStore
    /// The part that hashes and compares passwords.
    let passwords: Passwords
    /// The store of audit events.
    let audit: any AuditLog
    /// The store of API tokens.
    public let tokens: any TokenStore
    /// The letters and digits with which API tokens begin.
    let tokenPrefix: String
    /// The path of the page that signs visitors in.
    let loginPath: String
    let throttle: Throttle?
    let devices: DeviceCookies
    /// Whether browsers reach the site over HTTPS.
    let isHTTPS: Bool
    let logger: Logger
    let time = TimeSource.current
    let reports = ReportedRefusals()

    /// Creates an authentication with stores of your own.
    /// - Parameters:
    ///   - throttle: The limits for guessing, by default with failures in memory; nil for none, for load tests only.
    ///   - audit: The record of what happens to accounts; nil for one in memory.
    ///   - tokens: The API tokens; nil for a store in memory.
    ///   - key: The key that signs the cookies by which devices are known again.
    ///   - isHTTPS: Whether browsers reach the site over HTTPS.
    ///   - tokenPrefix: The letters and digits by which people and secret scanners recognise the application's tokens.
    public init(
        accounts: any AccountStore,
        sessions: any OwnedSessionStore,
        passwords: Passwords = Passwords(),
        throttle: Throttle? = Throttle(),
        audit: (any AuditLog)? = nil,
        tokens: (any TokenStore)? = nil,
        key: SigningKey,
        isHTTPS: Bool,
        tokenPrefix: String = "roost",
        loginPath: String = "/login",
        logger: Logger? = nil
    ) {
        self.accounts = accounts
        self.sessions = sessions
        self.passwords = passwords
        self.throttle = throttle
        self.audit = audit ?? MemoryAuditLog()
        self.tokens = tokens ?? MemoryTokens()
        self.tokenPrefix = tokenPrefix
        self.loginPath = loginPath
        self.logger = logger ?? .current(or: "roost.auth")
        devices = DeviceCookies(key: key, isHTTPS: isHTTPS)
        self.isHTTPS = isHTTPS
    }

    /// Creates stores for everything in a database with the tables of ``AuthMigrations`` and of `SQLSessionStore`.
    /// - Parameters:
    ///   - key: The key that signs the cookies by which devices are known again.
    ///   - isHTTPS: Whether browsers reach the site over HTTPS.
    ///   - sessions: The store of sessions; nil for one in the database, with the default times.
    ///   - limits: The limits for guessing; nil for none, for load tests only.
    ///   - tokenPrefix: The letters and digits by which people and secret scanners recognise the application's tokens.
    ///   - loginPath: The path of the page that signs visitors in.
    public init(
        _ database: Database,
        key: SigningKey,
        isHTTPS: Bool,
        sessions: (any OwnedSessionStore)? = nil,
        passwords: Passwords = Passwords(),
        limits: ThrottleLimits? = ThrottleLimits(),
        tokenPrefix: String = "roost",
        loginPath: String = "/login",
        logger: Logger? = nil
    ) {
        self.init(
            accounts: SQLAccounts(database),
            sessions: sessions ?? SQLSessionStore(database),
            passwords: passwords,
            throttle: limits.map { Throttle(SQLThrottleStore(database), limits: $0) },
            audit: SQLAuditLog(database),
            tokens: SQLTokens(database),
            key: key,
            isHTTPS: isHTTPS,
            tokenPrefix: tokenPrefix,
            loginPath: loginPath,
            logger: logger
        )
    }

    // MARK: Signing in

    /// Signs a visitor in: compares the password, and begins a session under a new token, which ends the old one.
    ///
    /// An unknown address, a wrong password and a disabled account get the same error after the same work. The session
    /// belongs to the innermost `Sessions`: keep the sign-in route outside of parts with sessions of their own.
    /// - Throws: ``HTTPError`` with 401 for a wrong pair, 429 when too many attempts have failed, 503 when too many
    ///   sign in at a time; any error of the stores.
    public func signIn(email: String, password: String, _ request: Request) async throws -> SignIn {
        let email = EmailAddress(trimming: email)
        let found = try await accounts.account(email: email)
        let device = devices.device(of: request, for: found)
        let attempt = try await begin(email, found?.account.id, device, request)
        guard let stored = try await verified(password, found, attempt) else {
            let event = event(.signInFailed, found?.account.id, request)
            if !reports.write({ await record(event) }) { log(unkept: event) }
            throw SignInRefused.wrong(challenge)
        }
        if let attempt { try await throttle?.succeed(attempt) }
        return try await signIn(to: stored, device: device, request)
    }

    /// Returns an account that is not disabled; nil for any other, and one that is gone.
    func enabledAccount(_ id: Int) async throws -> Account? {
        try await accounts.account(id: id).flatMap { $0.account.isDisabled ? nil : $0.account }
    }

    /// Signs a visitor in without a password: for an application that knows by other means whose account it is, such as
    /// a link in a mail, or another site at which people sign in.
    /// - Throws: ``HTTPError`` with 401 if the account is disabled or gone; any error of the stores.
    public func signIn(_ account: Account, _ request: Request) async throws -> SignIn {
        guard let stored = try await accounts.account(id: account.id), !stored.account.isDisabled else {
            throw SignInRefused.visitor(challenge)
        }
        return try await signIn(to: stored, device: devices.device(of: request, for: stored), request)
    }

    /// Signs a visitor in to an account, and makes the device known.
    /// - Parameter device: The one that the account has signed in on before; nil for a new one.
    func signIn(to stored: StoredAccount, device: String?, _ request: Request) async throws -> SignIn {
        await record(.signedIn, stored.account.id, request)
        try await beginSession(stored, request)
        return SignIn(account: stored.account, deviceCookie: devices.cookie(device, for: stored, request))
    }

    /// Signs a visitor in with the fields that a form or a program has sent.
    public func signIn(_ input: SignInInput, _ request: Request) async throws -> SignIn {
        try await signIn(email: input.email ?? "", password: input.password ?? "", request)
    }

    /// Signs the visitor out: ends the session, on the server and in the browser. If the store of sessions fails, the
    /// response is that error, and still removes the cookie.
    public func signOut(_ request: Request) async throws {
        let session = try await request.ownedSession(toEnd: true)
        if let account = session[Session.ownerKey].flatMap({ Int($0) }) { await record(.signedOut, account, request) }
        session.end()
    }

    /// Lets an attempt begin, if it need not wait.
    /// - Parameter account: The account with the address; nil when there is none.
    func begin(
        _ email: EmailAddress, _ account: Int?, _ device: String?, _ request: Request
    ) async throws -> Throttle.Attempt? {
        guard let throttle else { return nil }
        let network = Self.network(request)
        let verdict = try await throttle.begin(
            account: email.key, network: network, home: request.clientHome?.description,
            site: request.clientSite?.description, device: device)
        switch verdict {
        case .allowed(let attempt): return attempt
        case .refused(let seconds):
            // An address without an account is counted like one: whether something is written would tell.
            report(event(.signInThrottled, account, request), of: account ?? email.key.hashValue, from: network)
            throw SignInRefused.throttled(seconds: seconds)
        case .networkRefused(let seconds):
            report(event(.signInThrottled, nil, request), of: nil, from: network)
            throw SignInRefused.throttled(seconds: seconds)
        }
    }

    /// Reports a refusal. It takes the event and not the request, which may be large: it may have to wait for others.
    /// - Parameter account: What its reports are counted by; nil for those of whole networks.
    private func report(_ event: AuditEvent, of account: Int?, from network: String) {
        let isKept = reports.report(account, from: network, at: event.time) { await record(event) }
        if !isKept { log(unkept: event) }
    }

    /// Returns the network from which an attempt comes, for the counts of failures.
    private static func network(_ request: Request) -> String { request.clientNetwork?.description ?? "local" }

    private func beginSession(_ stored: StoredAccount, _ request: Request) async throws {
        let (session, account) = (try await request.session, stored.account)
        let owner = session[Session.ownerKey]
        // Values that a visitor has gathered before stay, unless they were somebody else's.
        if let owner, owner != account.owner { session.end() } else { session.renew() }
        session[Session.ownerKey] = account.owner
        session[Session.emailKey] = account.email
        session[Session.deviceKey] = request.deviceName
        session[Session.addressKey] = request.clientHost
        confirm(session, for: stored, owner == account.owner ? .sessionRenewed : .sessionStarted, request)
    }

    // MARK: Keeping track

    /// Keeps an event, and logs it. If it cannot be kept, that is logged, and nothing else happens.
    func record(_ kind: AuditEvent.Kind, _ account: Int?, _ request: Request? = nil) async {
        await record(event(kind, account, request))
    }

    /// Returns an event of this moment.
    func event(_ kind: AuditEvent.Kind, _ account: Int?, _ request: Request?) -> AuditEvent {
        AuditEvent(
            kind, account: account, address: request?.clientHost, device: request?.deviceName,
            time: time.secondsSince1970())
    }

    /// Logs an event that is not kept, since too many wait to be.
    private func log(unkept event: AuditEvent) {
        logger.error("\(event.kind.rawValue): \(event.whose), \(event.place); the audit log is too slow to keep it")
    }

    /// The store gets an event of no account, too: without that write, the time of the next one would tell.
    func record(_ event: AuditEvent) async {
        logger.info("\(event.kind.rawValue): \(event.whose), \(event.place)")
        do {
            try await audit.record(event)
        } catch {
            logger.error("The audit log could not keep \"\(event.kind.rawValue)\" of \(event.whose): \(error)")
        }
    }
}

extension AuditEvent {
    /// The account as a log names it.
    fileprivate var whose: String { account.map { "account \($0)" } ?? "no account" }
    /// The place from which it came.
    fileprivate var place: String { address ?? "command line" }
}

/// Register `Auth` after its database. Services stop in reverse order, so it can still write: when the application
/// stops, it waits up to five seconds until all that it has reported is kept.
extension Auth: Service {
    /// Does nothing: there is nothing to start.
    public func start() async throws {}

    /// Waits for the reports of refused attempts.
    public func stop() async { await reports.settle(within: .seconds(5)) }
}
