package import PatternCore
import PatternScreens
package import Roost

/// The entry of MVP, as a `SceneDelegate` is on a phone: which path leads to which view, and with which presenter.
package struct MVPScene: Controller {
    private let authService: any AuthServicing

    package init(authService: any AuthServicing) {
        self.authService = authService
    }

    package func routes(_ routes: Routes) {
        routes.get(LoginViewController.path) { request in
            try await request.navigate { loginView($0).viewDidLoad() }
        }
        routes.post(LoginViewController.path) { request in
            let form = try request.decode(LoginForm.self)
            return try await request.navigate { await loginView($0).loginButtonTapped(form) }
        }
        routes.get(HomeViewController.path) { request in
            try await request.navigate { HomeViewController($0).viewDidLoad() }
        }
        routes.get(CounterViewController.path) { request in
            try await request.navigate { CounterViewController($0, model: counter(of: $0)).viewDidLoad() }
        }
        routes.post(CounterViewController.path) { request in
            try await request.navigate { navigation in
                let model = counter(of: navigation)
                CounterViewController(navigation, model: model).incrementButtonTapped()
                navigation.visitor["counter"] = "\(model.value)"
            }
        }
    }

    private func loginView(_ navigation: Navigation) -> LoginViewController {
        LoginViewController(navigation, authService: authService)
    }

    /// The model of a visitor's counter, which lives as long as the visit.
    private func counter(of navigation: Navigation) -> CounterModel {
        CounterModel(value: navigation.visitor["counter"].flatMap { Int($0) } ?? 0)
    }
}
