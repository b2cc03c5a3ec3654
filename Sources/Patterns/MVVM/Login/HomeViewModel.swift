import PatternCore

/// The view model of the home screen.
struct HomeViewModel {
    /// The welcome; nil when nobody has signed in.
    let welcomeText: String?

    init(authService: any AuthServicing) {
        welcomeText = authService.user.map { "Welcome, \($0.email)" }
    }
}
