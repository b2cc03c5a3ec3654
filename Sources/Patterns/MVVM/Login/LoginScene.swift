import PatternCore
import PatternScreens
import Roost

/// The entry of the login: which path leads to which view, with which view model. A page with a script follows a view
/// model that stays on the server; a page without one gets a view model for each request.
struct LoginScene: Controller {
    let authService: any AuthServicing
    let live = LiveLogins()

    func routes(_ routes: Routes) {
        routes.get(LoginView.path) { request in
            try await request.navigate { LoginView(LoginViewModel(authService: authService)).update($0) }
        }
        routes.post(LoginView.path) { request in
            let form = try request.decode(LoginForm.self)
            let view = LoginView(LoginViewModel(authService: authService))
            await view.loginButtonTapped(form)
            return try await request.navigate { view.update($0) }
        }
        routes.get(HomeView.path) { request in
            try await request.navigate { HomeView(HomeViewModel(user: $0.visitor.user)).update($0) }
        }
        liveRoutes(routes)
    }

    /// What `public/patterns.js` asks for: a view model of its own, its states as they come, a press of the button, and
    /// at last the way home.
    private func liveRoutes(_ routes: Routes) {
        routes.post(LoginView.live) { request in
            let id = try live.add(LoginViewModel(authService: authService), for: request.clientNetwork)
            return Response(.created, headers: [.location: LoginView.one.url(id)])
        }
        routes.get(LoginView.one) { _, id in
            let view = LoginView(try live.viewModel(id))
            return Response.events { events in try await view.follow(events) }
        }
        routes.post(LoginView.one) { request, id in
            let form = try request.decode(LoginForm.self)
            await LoginView(try live.viewModel(id)).loginButtonTapped(form)
            return Response(.noContent)
        }
        routes.post(LoginView.entrance) { request, id in
            let view = LoginView(try live.viewModel(id))
            return try await request.navigate { view.update($0) }
        }
    }
}
