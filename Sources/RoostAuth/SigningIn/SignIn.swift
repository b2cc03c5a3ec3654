public import Roost

/// A sign-in that has succeeded, or a change of the password.
public struct SignIn: Sendable {
    /// The account.
    public let account: Account
    /// The cookie by which the device is known again; see ``DeviceCookies``. Nil where others could intercept it.
    let deviceCookie: Cookie?

    /// A response that carries the device's cookie. The session's cookie is set by ``Sessions``.
    public func response(_ response: Response) throws -> Response {
        var response = response
        if let deviceCookie { try response.setCookie(deviceCookie) }
        return response
    }
}
