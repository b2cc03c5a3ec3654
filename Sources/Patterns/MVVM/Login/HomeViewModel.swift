import PatternCore

/// The view model of the home screen.
struct HomeViewModel {
    /// Nil when nobody has signed in.
    let welcomeText: String?

    init(user: User?) {
        welcomeText = user.map { "Welcome, \($0.email)" }
    }
}
