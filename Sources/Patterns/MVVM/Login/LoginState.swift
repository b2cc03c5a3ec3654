import PatternCore

/// What the login shows now, ready to be shown.
struct LoginState: Equatable, Sendable {
    var email = ""
    var isLoading = false
    var errorMessage: String?
    var user: User?
}
