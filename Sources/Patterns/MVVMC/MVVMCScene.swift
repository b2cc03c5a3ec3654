import PatternScreens
package import Roost

/// The entry of MVVM-C, as a `SceneDelegate` is on a phone: each request starts the root coordinator where its path
/// says, and calls the view that this shows.
package struct MVVMCScene: Controller {
    package init() {}

    package func routes(_ routes: Routes) {
        routes.get(LoginCoordinator.login) { request in
            try await request.navigate(AppCoordinator.init) { $0.startLogin().viewDidLoad() }
        }
        routes.post(LoginCoordinator.login) { request in
            let form = try request.decode(LoginForm.self)
            return try await request.navigate(AppCoordinator.init) { await $0.startLogin().loginButtonTapped(form) }
        }
        routes.get(AppCoordinator.home) { request in
            try await request.navigate(AppCoordinator.init) { $0.startHome() }
        }
        routes.get(UserCoordinator.first) { request in try await open(request, screen: 1) }
        routes.get(UserCoordinator.user) { request, screen in try await open(request, screen: screen) }
        routes.post(UserCoordinator.first) { request in try await press(request, screen: 1) }
        routes.post(UserCoordinator.user) { request, screen in try await press(request, screen: screen) }
        routes.get(UserCoordinator.detail) { request, screen in
            try await request.navigate(AppCoordinator.init) {
                $0.startUser(screen: screen).startDetail().viewDidLoad()
            }
        }
        routes.post(UserCoordinator.detail) { request, screen in
            try await request.navigate(AppCoordinator.init) {
                $0.startUser(screen: screen).startDetail().dismissAction()
            }
        }
    }

    private func open(_ request: Request, screen: Int) async throws -> Response {
        try await request.navigate(AppCoordinator.init) { $0.startUser(screen: screen).start().viewDidLoad() }
    }

    private func press(_ request: Request, screen: Int) async throws -> Response {
        let form = try request.decode(CardForm.self)
        return try await request.navigate(AppCoordinator.init) { app in
            let view = app.startUser(screen: screen).start()
            switch form.action {
            case .detail: view.showDetail()
            case .next: view.pushNext()
            default: view.reloadAction()
            }
        }
    }
}
