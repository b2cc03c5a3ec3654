import PatternCore

/// The presenter of the home screen: it welcomes those who have signed in, and sends others away.
final class HomePresenter {
    weak var view: (any HomeView)?
    private let user: User?

    init(user: User?) {
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
