package import PatternCore
import PatternScreens
package import Roost

/// The entry of MVVM-C, as a `SceneDelegate` is on a phone: each request starts the root coordinator where its path
/// says, and reaches the view that this shows.
package struct MVVMCScene: Controller {
    private let authService: any AuthServicing

    package init(authService: any AuthServicing) {
        self.authService = authService
    }

    package func routes(_ routes: Routes) {
        routes.get(LoginCoordinator.login) { request in
            try await request.navigate { appCoordinator($0).startLogin().viewDidLoad() }
        }
        routes.post(LoginCoordinator.login) { request in
            let form = try request.decode(LoginForm.self)
            return try await request.navigate { await appCoordinator($0).startLogin().loginButtonTapped(form) }
        }
        routes.get(AppCoordinator.home) { request in
            try await request.navigate { appCoordinator($0).startHome() }
        }
        routes.get(UserCoordinator.first) { request in
            try await request.navigate { appCoordinator($0).startUser(screen: 1).start().viewDidLoad() }
        }
        routes.get(UserCoordinator.user) { request, screen in
            try await request.navigate { appCoordinator($0).startUser(screen: screen).start().viewDidLoad() }
        }
        routes.get(UserCoordinator.detail) { request, screen in
            try await request.navigate { appCoordinator($0).startUser(screen: screen).startDetail().viewDidLoad() }
        }
        routes.post(UserCoordinator.first) { request in try await press(request, screen: 1) }
        routes.post(UserCoordinator.user) { request, screen in try await press(request, screen: screen) }
        routes.post(UserCoordinator.detail) { request, screen in
            try await request.navigate { appCoordinator($0).startUser(screen: screen).startDetail().dismissAction() }
        }
    }

    private func press(_ request: Request, screen: Int) async throws -> Response {
        let form = try request.decode(CardForm.self)
        return try await request.navigate { navigation in
            let view = appCoordinator(navigation).startUser(screen: screen).start()
            switch form.action {
            case .detail: view.showDetail()
            case .next: view.pushNext()
            default: view.reloadAction()
            }
        }
    }

    /// The root coordinator, which lives as long as the request.
    private func appCoordinator(_ navigation: Navigation) -> AppCoordinator {
        let coordinator = AppCoordinator(navigation, authService: authService)
        navigation.root = coordinator
        return coordinator
    }
}
