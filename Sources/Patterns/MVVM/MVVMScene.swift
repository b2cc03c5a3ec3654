import PatternCore
import PatternScreens
package import Roost

/// The entry of MVVM: it gives each view its view model. A page without a script gets a view model for each request; a
/// page with one follows a view model that stays on the server.
package struct MVVMScene: Controller {
    private let live = LiveLogins()

    package init() {}

    package func routes(_ routes: Routes) {
        routes.get(LoginView.path) { request in
            try await request.navigate(login) { $0.update() }
        }
        routes.post(LoginView.path) { request in
            let form = try request.decode(LoginForm.self)
            return try await request.navigate(login) { await $0.loginButtonTapped(form) }
        }
        routes.get(HomeView.path) { request in
            try await request.navigate(home) { $0.update() }
        }
        liveRoutes(routes)
    }

    /// Adds the routes for `public/patterns.js`: a view model of its own, its states as they come, each change of a
    /// field, a press of the button, and at last the way home.
    private func liveRoutes(_ routes: Routes) {
        routes.post(LoginView.live) { request in
            let id = try live.begin(try request.visitor, for: request.clientNetwork)
            return Response(.created, headers: [.location: LoginView.one.url(id)])
        }
        routes.get(LoginView.one) { _, id in
            let viewModel = try live.login(id).viewModel
            return Response.events { events in
                for await state in viewModel.state.values() { try await events.send(event(state)) }
            }
        }
        routes.put(LoginView.one) { request, id in
            try edit(live.login(id).viewModel, request)
            return Response(.noContent)
        }
        routes.post(LoginView.one) { request, id in
            let viewModel = try live.login(id).viewModel
            try edit(viewModel, request)
            await viewModel.login()
            return Response(.noContent)
        }
        routes.post(LoginView.entrance) { request, id in
            let login = try live.login(id)
            // Only a response to the browser can give it a cookie: it takes over what the model has remembered.
            try request.visitor["user"] = login.visitor["user"]
            return try await request.navigate({ $0.show(LoginView($0, login.viewModel)) }) { $0.update() }
        }
    }

    private func login(_ navigation: Navigation) -> LoginView {
        navigation.show(LoginView(navigation, LoginViewModel(authService: navigation.visitor.authService)))
    }

    private func home(_ navigation: Navigation) -> HomeView {
        navigation.show(HomeView(navigation, HomeViewModel(authService: navigation.visitor.authService)))
    }

    /// The binding from the fields of a live page to its view model.
    private func edit(_ viewModel: LoginViewModel, _ request: Request) throws {
        let form = try request.decode(LoginForm.self)
        viewModel.email = form.email
        viewModel.password = form.password
    }

    /// The binding from a view model to its live page.
    private func event(_ state: LoginState) throws -> ServerSentEvent {
        ServerSentEvent(String(decoding: try JSONCoder().encode(state), as: UTF8.self), event: "state")
    }
}
