import PatternCore
import PatternScreens
package import Roost

/// The entry of MVP, as a `SceneDelegate` is on a phone: it gives each view its presenter, and each presenter its
/// model. Then it calls the view.
package struct MVPScene: Controller {
    package init() {}

    package func routes(_ routes: Routes) {
        routes.get(LoginViewController.path) { request in
            try await request.navigate(login) { $0.viewDidLoad() }
        }
        routes.post(LoginViewController.path) { request in
            let form = try request.decode(LoginForm.self)
            return try await request.navigate(login) { await $0.loginButtonTapped(form) }
        }
        routes.get(HomeViewController.path) { request in
            try await request.navigate(home) { $0.viewDidLoad() }
        }
        routes.get(CounterViewController.path) { request in
            try await request.navigate(counter) { $0.viewDidLoad() }
        }
        // Each window of a browser shows what its visitor counts in another one.
        routes.live(CounterViewController.path) { request in [try request.visitor.updates] }
        routes.post(CounterViewController.path) { request in
            try await request.navigate(counter) { $0.incrementButtonTapped() }
        }
    }

    private func login(_ navigation: Navigation) -> LoginViewController {
        let presenter = LoginPresenter(authService: navigation.visitor.authService)
        return navigation.show(LoginViewController(navigation, presenter: presenter))
    }

    private func home(_ navigation: Navigation) -> HomeViewController {
        let presenter = HomePresenter(authService: navigation.visitor.authService)
        return navigation.show(HomeViewController(navigation, presenter: presenter))
    }

    private func counter(_ navigation: Navigation) -> CounterViewController {
        let presenter = CounterPresenter(model: CounterModel(store: navigation.visitor))
        return navigation.show(CounterViewController(presenter: presenter))
    }
}
