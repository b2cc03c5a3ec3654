package import PatternCore
import PatternScreens
package import Roost

/// The entry of VIPER, as a `SceneDelegate` is on a phone: each request starts the root wireframe where its path says.
package struct VIPERScene: Controller {
    private let authService: any AuthServicing

    package init(authService: any AuthServicing) {
        self.authService = authService
    }

    package func routes(_ routes: Routes) {
        routes.get(LoginWireframe.login) { request in
            try await request.navigate { appWireframe($0).makeLogin().viewDidLoad() }
        }
        routes.post(LoginWireframe.login) { request in
            let form = try request.decode(LoginForm.self)
            return try await request.navigate { await appWireframe($0).makeLogin().loginTapped(form) }
        }
        routes.get(LoginWireframe.home) { request in
            try await request.navigate { appWireframe($0).presentHome() }
        }
        routes.get(CountWireframe.first) { request in
            try await request.navigate { appWireframe($0).makeItem(0).viewDidLoad() }
        }
        routes.get(CountWireframe.item) { request, index in
            try await request.navigate { appWireframe($0).makeItem(index).viewDidLoad() }
        }
        routes.post(CountWireframe.first) { request in try await press(request, 0) }
        routes.post(CountWireframe.item) { request, index in try await press(request, index) }
        routes.get(CountWireframe.detail) { request, index in
            try await request.navigate { appWireframe($0).makeDetail(index).viewDidLoad() }
        }
        routes.post(CountWireframe.detail) { request, index in
            try await request.navigate { appWireframe($0).makeDetail(index).dismissAction() }
        }
    }

    private func press(_ request: Request, _ index: Int) async throws -> Response {
        let form = try request.decode(CardForm.self)
        return try await request.navigate { navigation in
            let view = appWireframe(navigation).makeItem(index)
            if form.action == .detail { view.showDetail() } else { view.showNext() }
        }
    }

    private func appWireframe(_ navigation: Navigation) -> AppWireframe {
        AppWireframe(navigation, authService: authService)
    }
}
