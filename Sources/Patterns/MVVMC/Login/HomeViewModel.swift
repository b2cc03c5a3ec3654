import PatternCore

/// The view model of the home screen.
final class HomeViewModel {
    let welcomeText: String

    init(user: User) {
        welcomeText = "Welcome, \(user.email)"
    }
}
