import PatternScreens
package import Roost

/// The entry of VIPER, as a `SceneDelegate` is on a phone: each request lets a router make its module, and calls the
/// view of that.
package struct VIPERScene: Controller {
    package init() {}

    package func routes(_ routes: Routes) {
        routes.get(LoginRouter.login) { request in
            try await request.navigate(LoginRouter.createModule) { $0.viewDidLoad() }
        }
        routes.post(LoginRouter.login) { request in
            let form = try request.decode(LoginForm.self)
            return try await request.navigate(LoginRouter.createModule) { await $0.loginTapped(form) }
        }
        routes.get(LoginRouter.home) { request in
            try await request.navigate(LoginRouter.init) { $0.presentHome() }
        }
        routes.get(CountRouter.first) { request in try await open(request, 0) }
        routes.get(CountRouter.item) { request, index in try await open(request, index) }
        routes.post(CountRouter.first) { request in try await press(request, 0) }
        routes.post(CountRouter.item) { request, index in try await press(request, index) }
        routes.get(CountRouter.detail) { request, index in
            try await request.navigate({ DetailRouter.createModule($0, index: index) }) { $0.viewDidLoad() }
        }
        routes.post(CountRouter.detail) { request, index in
            try await request.navigate({ DetailRouter.createModule($0, index: index) }) { $0.dismissAction() }
        }
    }

    private func open(_ request: Request, _ index: Int) async throws -> Response {
        try await request.navigate({ CountRouter.createModule($0, index: index) }) { $0.viewDidLoad() }
    }

    private func press(_ request: Request, _ index: Int) async throws -> Response {
        let form = try request.decode(CardForm.self)
        return try await request.navigate({ CountRouter.createModule($0, index: index) }) { view in
            if form.action == .detail { view.showDetail() } else { view.showNext() }
        }
    }
}
