import PatternCore
import PatternScreens
import Roost

/// The controller: it reads what was typed, asks the model, chooses the view, and decides where to go next.
struct LoginController: Controller {
    static let login = Path("/patterns/mvc/login")
    static let home = Path("/patterns/mvc/home")

    func routes(_ routes: Routes) {
        routes.get(Self.login, use: form)
        routes.post(Self.login, use: login)
        routes.get(Self.home, use: home)
    }

    func form(_ request: Request) throws -> Response {
        try request.screen(LoginPage())
    }

    func login(_ request: Request) async throws -> Response {
        trace()
        let form = try request.decode(LoginForm.self)
        guard !form.email.isEmpty else { return try refuse(form, "Email cannot be empty", request) }
        guard !form.password.isEmpty else { return try refuse(form, "Password cannot be empty", request) }
        do {
            _ = try await request.visitor.authService.login(email: form.email, password: form.password)
            return .redirect(to: Self.home.url())
        } catch let error as AuthError {
            return try refuse(form, error.message, request)
        }
    }

    func home(_ request: Request) throws -> Response {
        guard let user = try request.visitor.authService.user else { return .redirect(to: Self.login.url()) }
        return try request.screen(HomePage(welcome: "Welcome, \(user.email)"))
    }

    private func refuse(_ form: LoginForm, _ message: String, _ request: Request) throws -> Response {
        var page = LoginPage()
        page.email = form.email
        page.errorMessage = message
        return try request.screen(page)
    }
}
