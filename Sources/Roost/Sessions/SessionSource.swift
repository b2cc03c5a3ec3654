/// The store and the cookie by which the session of a request is looked up; shared by all requests.
final class SessionSource: Sendable {
    let store: any SessionStore
    /// The name of the cookie with the token.
    let cookieName: String

    init(_ store: any SessionStore, cookieName: String) {
        self.store = store
        self.cookieName = cookieName
    }
}
