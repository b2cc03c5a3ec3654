import PatternCore
import PatternScreens
package import Roost

/// The entry of MVVM: it gives each view its view model. That of the login stays on the server while a browser shows
/// its page, which is live: each window of the browser shows its state. A visitor who has opened no page gets
/// a view model for one request.
package struct MVVMScene: Controller {
    private let logins: LiveLogins

    package init(templates: Templates) throws { logins = try LiveLogins(templates: templates) }

    package func routes(_ routes: Routes) {
        routes.get(LoginView.path) { request in
            let login = try login(for: request)
            guard request.headers[.liveRefresh] != nil else {
                return try await request.navigate({ view($0, login) }) { $0.viewDidAppear() }
            }
            // The page asks for itself: it goes on to show an error.
            var response = try await request.navigate({ view($0, login) }) { _ in }
            response.status = .ok
            return response
        }
        routes.live(LoginView.path) { request in
            try login(for: request).map { [.patches(of: $0.page)] } ?? []
        }
        routes.post(LoginView.path) { request in
            let (form, visitor) = (try request.decode(LoginForm.self), try request.visitor)
            let login = visitor.id == nil ? nil : try login(for: request)
            let response = try await request.navigate({ view($0, login) }) { await $0.loginButtonTapped(form) }
            // Then that login is over.
            if let login, visitor.authService.takeOver(from: login.visitor.authService) { logins.end(visitor) }
            return response
        }
        routes.get(HomeView.path) { request in
            try await request.navigate(home) { $0.update() }
        }
    }

    /// The login of the browser that shows the page; nil when there are too many.
    private func login(for request: Request) throws -> LiveLogins.Login? {
        let visitor = try request.visitor
        return logins.login(of: visitor) ?? logins.begin(visitor, for: request.clientNetwork)
    }

    private func view(_ navigation: Navigation, _ login: LiveLogins.Login?) -> LoginView {
        let viewModel = login?.viewModel ?? LoginViewModel(authService: navigation.visitor.authService)
        return navigation.show(LoginView(navigation, viewModel))
    }

    private func home(_ navigation: Navigation) -> HomeView {
        navigation.show(HomeView(navigation, HomeViewModel(authService: navigation.visitor.authService)))
    }
}
