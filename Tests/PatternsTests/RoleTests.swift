import PatternCore
import Testing

@testable import PatternMVP
@testable import PatternMVVM
@testable import PatternVIPER

/// The promise of the patterns: their decisions can be tested without a request, and without a page.
@Suite("Roles alone", .timeLimit(.minutes(5)))
struct RoleTests {
    private final class MVPView: PatternMVP.LoginView {
        var calls: [String] = []

        func showLoading() { calls.append("showLoading") }
        func hideLoading() { calls.append("hideLoading") }
        func showError(_ message: String) { calls.append(message) }
        func navigateToHome() { calls.append("navigateToHome") }
    }

    @Test func `the model remembers who has signed in, and nobody else`() async throws {
        let service = AuthService(store: Values())
        await #expect(throws: AuthError.invalidCredentials) { try await service.login(email: "a@b", password: "c") }
        #expect(service.user == nil)
        let user = try await service.login(email: AuthService.email, password: AuthService.password)
        #expect(service.user == user)
    }

    @Test func `MVP's presenter tells its view what to do`() async {
        let view = MVPView()
        let presenter = PatternMVP.LoginPresenter(authService: AuthService(store: Values()))
        presenter.view = view
        await presenter.didTapLogin(email: "", password: "")
        await presenter.didTapLogin(email: "a@b", password: "c")
        await presenter.didTapLogin(email: AuthService.email, password: AuthService.password)
        #expect(
            view.calls == [
                "Email cannot be empty", "showLoading", "hideLoading", "Invalid email or password", "showLoading",
                "hideLoading", "navigateToHome",
            ])
    }

    @Test func `MVVM's view model changes its state`() async {
        let viewModel = PatternMVVM.LoginViewModel(authService: AuthService(store: Values()))
        let states = viewModel.state.values()
        viewModel.email = "a@b"
        viewModel.password = "c"
        await viewModel.login()
        viewModel.state.finish()
        var seen: [String] = []
        for await state in states { seen.append("\(state.email) \(state.password) \(state.isLoading)") }
        #expect(seen == ["  false", "a@b  false", "a@b c false", "a@b c true", "a@b  false"])
        #expect(viewModel.state.value.errorMessage == "Invalid email or password")
    }

    private final class Output: LoginInteractorOutputProtocol {
        var outcome = ""

        func loginSucceeded(user: User) { outcome = user.email }
        func loginFailed(error: AuthError) { outcome = error.message }
    }

    @Test func `VIPER's interactor tells the outcome`() async {
        let (interactor, output) = (LoginInteractor(authService: AuthService(store: Values())), Output())
        interactor.presenter = output
        await interactor.login(email: AuthService.email, password: AuthService.password)
        #expect(output.outcome == "test@example.com")
        await interactor.login(email: "", password: "")
        #expect(output.outcome == "Invalid email or password")
    }

    @Test func `a service that is interrupted says so`() async {
        let service = AuthService(store: Values()) { throw CancellationError() }
        await #expect(throws: AuthError.interrupted) { try await service.login(email: "", password: "") }
    }
}
