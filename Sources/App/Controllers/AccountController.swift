import Roost
import RoostAuth

/// The pages of a visitor who has signed in.
struct AccountController: Controller {
    static let home = Path("/home")
    static let account = Path("/account")
    static let password = Path("/account/password")
    static let endAll = Path("/account/sessions/end")
    static let end = Path("/account/sessions/{id}/end", String.self)

    let auth: Auth
    /// The topic of accounts to which something has happened, such as a sign-in.
    let changes: any TopicProtocol<AccountChange>
    private let time = TimeSource.current
    /// The most failures that are looked through: the page shows those in a row as one.
    private static let maximumFailures = 500

    func routes(_ routes: Routes) {
        // A session alone does not tell what has become of its account.
        routes.group(middleware: [auth.requireUser { !$0.isDisabled }]) { routes in
            routes.get(Self.home, use: home)
            routes.get(Self.account, use: account)
            routes.live(Self.account) { [changes] request in
                let account = try await request.currentUser?.account
                return [.refreshes(on: changes) { $0.account == account }]
            }
            routes.post(Self.password, use: changePassword)
            routes.post(Self.endAll, use: endAll)
            routes.post(Self.end, use: end)
        }
    }

    /// `GET /home`
    func home(_ request: Request) async throws -> some ResponseConvertible {
        View("welcome", WelcomePage(signedInAs: try await request.currentUser?.email))
    }

    /// `GET /account`: the sessions, and what has happened to the account.
    func account(_ request: Request) async throws -> Response {
        let page = try await page(request)
        return try await request.negotiate([
            .json: { .json(page.summary) },
            .html: { .view("account", page) },
        ])
    }

    /// `POST /account/password`: `current` and `new`, from the page's form or as JSON.
    func changePassword(_ request: Request) async throws -> Response {
        let statuses = InvalidForm.statuses.union([.tooManyRequests, .serviceUnavailable])
        return try await request.handleForm(PasswordInput.self, showing: statuses) { input in
            let signIn = try await auth.changePassword(current: input.current ?? "", new: input.new ?? "", request)
            guard request.isForm else { return try signIn.response(Response(.noContent)) }
            try request.flash("Password changed. You are signed out on all other devices.")
            return try signIn.response(.redirect(to: Self.account.url()))
        } invalid: { form in
            View("account", try await page(request, form))
        }
    }

    /// `POST /account/sessions/end`: signs out everywhere.
    func endAll(_ request: Request) async throws -> Response {
        try await auth.endAllSessions(request)
        return request.prefersPage ? .redirect(to: Path("/").url()) : Response(.noContent)
    }

    /// `POST /account/sessions/…/end`: signs out one device. To a person it makes no difference if it was done before.
    func end(_ request: Request, id: String) async throws -> Response {
        let isOwn = try await request.session.id == id
        let wasThere = try await auth.endSession(id, request)
        if request.prefersPage {
            if !isOwn { try request.flash("Signed out on the other device.") }
            return .redirect(to: isOwn ? Path("/").url() : Self.account.url())
        }
        guard wasThere else { throw HTTPError(.notFound, "You have no such session.") }
        return Response(.noContent)
    }

    private func page(_ request: Request, _ form: InvalidForm? = nil) async throws -> AccountPage {
        AccountPage(
            email: try await request.currentUser?.email ?? "",
            sessions: try await auth.sessions(of: request),
            current: try await request.session.id,
            events: try await events(request),
            now: time.secondsSince1970(),
            form: form
        )
    }

    /// The last events, the newest first. Failures are read separately: guessing passwords produces so many that
    /// nothing else would be among the last ones.
    private func events(_ request: Request) async throws -> [AuditEvent] {
        let kinds = AccountPage.failures
        let others = Set(AuditEvent.Kind.allCases).subtracting(kinds)
        let failures = try await auth.events(of: request, kinds: kinds, limit: Self.maximumFailures)
        let events = try await auth.events(of: request, kinds: others, limit: AccountPage.maximumEvents)
        return (failures + events).sorted { $0.time > $1.time }
    }
}

/// The fields that a client sends to change its password.
private struct PasswordInput: Decodable {
    var current: String?
    var new: String?
}
