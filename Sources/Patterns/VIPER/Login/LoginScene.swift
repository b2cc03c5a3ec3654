import PatternCore
import PatternScreens
import Roost

/// The entry of the login, as a `SceneDelegate` is on a phone: each request starts the root wireframe where its path
/// says.
struct LoginScene: Controller {
    let authService: any AuthServicing

    func routes(_ routes: Routes) {
        routes.get(LoginWireframe.login) { request in
            try await request.navigate { wireframe($0).presentLogin().viewDidLoad() }
        }
        routes.post(LoginWireframe.login) { request in
            let form = try request.decode(LoginForm.self)
            return try await request.navigate { await wireframe($0).presentLogin().loginTapped(form) }
        }
        routes.get(LoginWireframe.home) { request in
            try await request.navigate { wireframe($0).presentHome() }
        }
    }

    private func wireframe(_ navigation: Navigation) -> AppWireframe {
        AppWireframe(navigation, authService: authService)
    }
}
