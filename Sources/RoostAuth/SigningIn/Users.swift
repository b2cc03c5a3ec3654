public import Roost
import Synchronization

/// Middleware that gives each request its user as a type of the application, made from the account.
///
///     struct Member: Sendable {
///         let id: Int
///         let isAdmin: Bool
///     }
///
///     let members = Users(auth) { account in
///         Member(id: account.id, isAdmin: account.roles.contains("admin"))
///     }
///     routes.group(middleware: [members]) { … }
///
///     extension Request {
///         var member: Member? { get async throws { try await user(Member.self) } }
///     }
///
/// The account is loaded when a handler or a page first asks for the user, at most once per request. A visitor who has
/// not signed in has no user, and neither has a disabled account.
public struct Users<User: Sendable>: Middleware {
    private let auth: Auth
    private let make: @Sendable (Account) async throws -> User?

    /// Creates the middleware for a type of users.
    /// - Parameter make: Makes the user from an account, perhaps with more data from the database; returns nil for an
    ///   account that is not such a user.
    public init(_ auth: Auth, _ make: @escaping @Sendable (Account) async throws -> User?) {
        (self.auth, self.make) = (auth, make)
    }

    /// Passes the request on.
    public func respond(to request: Request, next: Next) async throws -> Response {
        var request = request
        request[LoadedUser<User>.Key.self] = LoadedUser(self)
        return try await next(request)
    }

    fileprivate func user(of request: Request) async throws -> User? {
        guard let user = try await request.currentUser, let account = try await auth.enabledAccount(user.account)
        else { return nil }
        return try await make(account)
    }

    /// Returns the error for a sender who is none of the users: to sign in would not help somebody who has done so with
    /// an account that is not disabled.
    fileprivate func refusal(of request: Request) async throws -> HTTPError {
        if let user = try await request.currentUser, try await auth.enabledAccount(user.account) != nil {
            return .notAllowed
        }
        return SignInRefused.visitor(auth.challenge)
    }
}

/// The user of a request, once it has been loaded.
private final class LoadedUser<User: Sendable>: Sendable {
    enum Key: RequestKey { typealias Value = LoadedUser<User> }

    let users: Users<User>
    /// The user, and the account for which it was loaded: a guard on the way may find another one, by a token.
    private let known = Mutex<(account: Int?, user: User?)?>(nil)

    init(_ users: Users<User>) { self.users = users }

    func user(of request: Request) async throws -> User? {
        let account = try await request.currentUser?.account
        if let known = known.withLock({ $0 }), known.account == account { return known.user }
        let loaded = try await users.user(of: request)
        known.withLock { $0 = (account, loaded) }
        return loaded
    }
}

extension Request {
    /// Returns the user who sends the request; nil for a visitor who has not signed in. See ``Users``.
    /// - Throws: An error when no ``Users`` of this type is around the route; any error of the stores.
    public func user<User: Sendable>(_ type: User.Type = User.self) async throws -> User? {
        guard let loaded = self[LoadedUser<User>.Key.self] else { throw NoUsers(type: "\(type)") }
        return try await loaded.user(of: self)
    }

    /// Returns the user who sends the request, if a rule allows what the request does.
    ///
    ///     let member = try await request.allow(Member.self) { $0.isAdmin || $0.id == booking.member }
    ///
    /// - Throws: ``HTTPError`` with 401 for a visitor who has not signed in, and 403 if the rule does not allow it or
    ///   the account is not such a user; any error of the stores.
    @discardableResult
    public func allow<User: Sendable>(
        _ type: User.Type = User.self, where rule: (User) async throws -> Bool = { _ in true }
    ) async throws -> User {
        guard let loaded = self[LoadedUser<User>.Key.self] else { throw NoUsers(type: "\(type)") }
        guard let user = try await loaded.user(of: self) else { throw try await loaded.users.refusal(of: self) }
        guard try await rule(user) else { throw HTTPError.notAllowed }
        return user
    }
}

extension HTTPError {
    /// The error for an account that may not do what its request asks for.
    static var notAllowed: HTTPError { HTTPError(.forbidden, "Your account may not do this.") }
}

/// The mistake of a program that asks for a user where none is loaded.
private struct NoUsers: Error, CustomStringConvertible {
    let type: String

    var description: String {
        "No Users<\(type)> is around this route, or around the ErrorPages that ask: add it to the middleware of the "
            + "application or the group, before ErrorPages."
    }
}
