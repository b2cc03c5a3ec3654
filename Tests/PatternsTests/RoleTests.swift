import PatternCore
import Testing

@testable import PatternMVP
@testable import PatternMVVM
@testable import PatternVIPER

/// What the patterns promise: their decisions can be tested without a request, and without a page.
@Suite("Roles alone", .timeLimit(.minutes(5)))
struct RoleTests {
    private final class MVPView: PatternMVP.LoginView {
        var calls: [String] = []

        func showLoading() { calls.append("showLoading") }
        func hideLoading() { calls.append("hideLoading") }
        func showError(_ message: String) { calls.append(message) }
        func navigateToHome(_ user: User) { calls.append("home of \(user.email)") }
    }

    @Test func `MVP's presenter tells its view what to do`() async {
        let view = MVPView()
        let presenter = PatternMVP.LoginPresenter(authService: AuthService(delay: .zero))
        presenter.view = view
        await presenter.didTapLogin(email: "", password: "")
        await presenter.didTapLogin(email: "a@b", password: "c")
        await presenter.didTapLogin(email: AuthService.email, password: AuthService.password)
        #expect(
            view.calls == [
                "Email cannot be empty", "showLoading", "hideLoading", "Invalid email or password", "showLoading",
                "hideLoading", "home of test@example.com",
            ])
    }

    @Test func `MVVM's view model changes its state`() async {
        let viewModel = PatternMVVM.LoginViewModel(authService: AuthService(delay: .zero))
        let states = viewModel.state.values()
        await viewModel.login(email: "a@b", password: "c")
        viewModel.state.finish()
        var loading: [Bool] = []
        for await state in states { loading.append(state.isLoading) }
        #expect(loading == [false, true, false])
        #expect(viewModel.state.value.errorMessage == "Invalid email or password")
    }

    private final class Output: LoginInteractorOutputProtocol {
        var outcome = ""

        func loginSucceeded(user: User) { outcome = user.email }
        func loginFailed(error: AuthError) { outcome = error.message }
    }

    @Test func `VIPER's interactor tells the outcome`() async {
        let (interactor, output) = (LoginInteractor(authService: AuthService(delay: .zero)), Output())
        interactor.presenter = output
        await interactor.login(email: AuthService.email, password: AuthService.password)
        #expect(output.outcome == "test@example.com")
        await interactor.login(email: "", password: "")
        #expect(output.outcome == "Invalid email or password")
    }

    @Test func `a service that is interrupted says so`() async {
        let service = AuthService { throw CancellationError() }
        await #expect(throws: AuthError.interrupted) { try await service.login(email: "", password: "") }
    }
}
