import PatternCore

/// The presenter of the home screen: it welcomes those who have signed in, and sends others away.
final class HomePresenter {
    private weak let view: (any HomeView)?
    private let user: User?

    init(view: any HomeView, user: User?) {
        self.view = view
        self.user = user
    }

    func viewDidLoad() {
        trace()
        guard let user else {
            view?.navigateToLogin()
            return
        }
        view?.showWelcome("Welcome, \(user.email)")
    }
}
