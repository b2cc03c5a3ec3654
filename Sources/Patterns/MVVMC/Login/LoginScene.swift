import PatternCore
import PatternScreens
import Roost

/// The entry of the login, as a `SceneDelegate` is on a phone: each request starts the root coordinator where its path
/// says, and reaches the view that this shows.
struct LoginScene: Controller {
    let authService: any AuthServicing

    func routes(_ routes: Routes) {
        routes.get(LoginCoordinator.login) { request in
            try await request.navigate { AppCoordinator.root(of: $0, authService).startLogin().viewDidLoad() }
        }
        routes.post(LoginCoordinator.login) { request in
            let form = try request.decode(LoginForm.self)
            return try await request.navigate { navigation in
                await AppCoordinator.root(of: navigation, authService).startLogin().loginButtonTapped(form)
            }
        }
        routes.get(AppCoordinator.home) { request in
            try await request.navigate { AppCoordinator.root(of: $0, authService).startHome() }
        }
    }
}
