import PatternCore
import PatternScreens
import Roost

/// The entry of the login, as a `SceneDelegate` is on a phone: it gives each view its presenter, and calls the view.
struct LoginScene: Controller {
    let authService: any AuthServicing

    func routes(_ routes: Routes) {
        routes.get(LoginViewController.path) { request in
            try await request.navigate { login($0).viewDidLoad() }
        }
        routes.post(LoginViewController.path) { request in
            let form = try request.decode(LoginForm.self)
            return try await request.navigate { await login($0).loginButtonTapped(form) }
        }
        routes.get(HomeViewController.path) { request in
            try await request.navigate { home($0).viewDidLoad() }
        }
    }

    private func login(_ navigation: Navigation) -> LoginViewController {
        LoginViewController(navigation, presenter: LoginPresenter(authService: authService))
    }

    private func home(_ navigation: Navigation) -> HomeViewController {
        HomeViewController(navigation, presenter: HomePresenter(user: navigation.visitor.user))
    }
}
