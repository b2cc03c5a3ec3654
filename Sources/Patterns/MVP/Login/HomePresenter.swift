import PatternCore

/// The presenter of the home screen: it welcomes those who have signed in, and sends others away.
final class HomePresenter {
    weak var view: (any HomeView)?
    private let authService: any AuthServicing

    init(authService: any AuthServicing) {
        self.authService = authService
    }

    func viewDidLoad() {
        trace()
        guard let user = authService.user else {
            view?.navigateToLogin()
            return
        }
        view?.showWelcome("Welcome, \(user.email)")
    }
}
