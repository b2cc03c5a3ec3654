import PatternCore
import PatternScreens
import Roost

/// The entry of the user's flow: each request starts the coordinators down to the screen that its path names.
struct UserScene: Controller {
    let authService: any AuthServicing

    func routes(_ routes: Routes) {
        routes.get(UserCoordinator.first) { request in
            try await request.navigate { coordinator($0, 1).start().viewDidLoad() }
        }
        routes.get(UserCoordinator.user) { request, screen in
            try await request.navigate { coordinator($0, screen).start().viewDidLoad() }
        }
        routes.get(UserCoordinator.detail) { request, screen in
            try await request.navigate { coordinator($0, screen).startDetail().viewDidLoad() }
        }
        routes.post(UserCoordinator.first) { request in try await press(request, screen: 1) }
        routes.post(UserCoordinator.user) { request, screen in try await press(request, screen: screen) }
        routes.post(UserCoordinator.detail) { request, screen in
            try await request.navigate { coordinator($0, screen).startDetail().dismissAction() }
        }
    }

    private func press(_ request: Request, screen: Int) async throws -> Response {
        let form = try request.decode(CardForm.self)
        return try await request.navigate { navigation in
            let view = coordinator(navigation, screen).start()
            switch form.action {
            case .detail: view.showDetail()
            case .next: view.pushNext()
            default: view.reloadAction()
            }
        }
    }

    private func coordinator(_ navigation: Navigation, _ screen: Int) -> UserCoordinator {
        AppCoordinator.root(of: navigation, authService).startUser(screen: screen)
    }
}
