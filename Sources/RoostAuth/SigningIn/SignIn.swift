public import Roost

/// The result of a sign-in or of a change of the password.
public struct SignIn: Sendable {
    /// The account that has signed in.
    public let account: Account
    /// The cookie by which the device is known again; see ``DeviceCookies``. Nil where others could intercept it.
    let deviceCookie: Cookie?

    /// Returns a response with the device's cookie. The session's cookie is set by ``Sessions``.
    public func response(_ response: Response) throws -> Response {
        var response = response
        if let deviceCookie { try response.setCookie(deviceCookie) }
        return response
    }
}

/// The fields that a form or a program sends to sign in.
public struct SignInInput: Decodable, Sendable {
    /// The address of the account.
    public var email: String?
    /// The password, exactly as typed.
    public var password: String?
    /// The path to go on to after signing in, as it was sent; see ``localNext``.
    public var next: String?

    /// The longest path to go on to, in bytes.
    private static let maximumNextLength = 2048

    /// The path to go on to, if it is on this site and has at most 2,048 bytes; nil for anything that could lead
    /// elsewhere.
    public var localNext: String? { Self.localPath(next) }

    /// Returns a path from a query or a form, if it is on this site and has at most 2,048 bytes.
    public static func localPath(_ text: String?) -> String? {
        guard let text, text.utf8.count <= maximumNextLength else { return nil }
        return LocalPath(text)?.text
    }
}

/// The errors for those who are not signed in.
enum SignInRefused {
    /// Returns the error for a wrong pair of address and password, or a disabled account.
    static func wrong(_ challenge: Headers) -> HTTPError {
        HTTPError(.unauthorized, "Invalid email or password", headers: challenge)
    }

    /// Returns the error for a visitor who has not signed in, or whose account cannot.
    static func visitor(_ challenge: Headers) -> HTTPError {
        HTTPError(.unauthorized, "Sign in first.", headers: challenge)
    }

    /// Returns the error after too many failed attempts; the next one may come after this many seconds.
    static func throttled(seconds: Int) -> HTTPError {
        HTTPError(.tooManyRequests, Sentence.tooManySignIns(seconds: seconds), headers: [.retryAfter: "\(seconds)"])
    }
}
