/// The login's present state, ready to be shown.
struct LoginState: Equatable, Sendable {
    var email = ""
    var password = ""
    var isLoading = false
    var errorMessage: String?
    var isLoggedIn = false
}
