import PatternCore
import Roost
import RoostTesting
import Testing

@testable import PatternScreens
@testable import Patterns

/// Who called whom, as the chapters show it.
@Suite("The trace", .quietLog, .timeLimit(.minutes(5)))
struct TraceTests {
    /// The rows of a chapter, each as `caller → role.function`.
    private func rows(_ pattern: Pattern, _ client: TestClient) async throws -> [String] {
        let page = try await client.get(pattern.path).text
        return page.components(between: "<tr><td>", and: "</tr>").map { row in
            let cells = "<td>\(row)".components(between: "<td>", and: "</td>")
            let function = cells[3].replacing("<code>", with: "").replacing("</code>", with: "")
            return "\(cells[1]) → \(cells[2]).\(function)"
        }
    }

    @Test func `MVC's login`() async throws {
        let client = try GallerySite.visitor()
        _ = try await client.post("/patterns/mvc/login", form: GallerySite.right)
        #expect(
            try await rows(.mvc, client) == [
                "Browser → LoginController.login(_:)",
                "LoginController → AuthService.login(email:password:)",
            ])
    }

    @Test func `MVP's login`() async throws {
        let client = try GallerySite.visitor()
        _ = try await client.post("/patterns/mvp/login", form: GallerySite.right)
        #expect(
            try await rows(.mvp, client) == [
                "Browser → LoginViewController.loginButtonTapped(_:)",
                "LoginViewController → LoginPresenter.didTapLogin(email:password:)",
                "LoginPresenter → LoginViewController.showLoading()",
                "LoginPresenter → AuthService.login(email:password:)",
                "LoginPresenter → LoginViewController.hideLoading()",
                "LoginPresenter → LoginViewController.navigateToHome(_:)",
            ])
    }

    @Test func `MVVM's login`() async throws {
        let client = try GallerySite.visitor()
        _ = try await client.post("/patterns/mvvm/login", form: GallerySite.right)
        #expect(
            try await rows(.mvvm, client) == [
                "Browser → LoginView.loginButtonTapped(_:)",
                "LoginView → LoginViewModel.login(email:password:)",
                "LoginViewModel → AuthService.login(email:password:)",
            ])
    }

    @Test func `MVVM-C's login`() async throws {
        let client = try GallerySite.visitor()
        _ = try await client.post("/patterns/mvvm-c/login", form: GallerySite.right)
        #expect(
            try await rows(.mvvmC, client) == [
                "Browser → LoginViewController.loginButtonTapped(_:)",
                "LoginViewController → LoginViewModel.loginTapped()",
                "LoginViewModel → LoginViewController.showLoading(_:)",
                "LoginViewModel → AuthService.login(email:password:)",
                "LoginViewModel → LoginViewController.showLoading(_:)",
                "LoginViewModel → LoginCoordinator.loginSucceeded(_:)",
                "LoginCoordinator → AppCoordinator.loginFinished(_:)",
            ])
    }

    @Test func `VIPER's login, which fails`() async throws {
        let client = try GallerySite.visitor()
        _ = try await client.post("/patterns/viper/login", form: ["email": "a@b", "password": "c"])
        #expect(
            try await rows(.viper, client) == [
                "Browser → LoginViewController.loginTapped(_:)",
                "LoginViewController → LoginPresenter.didTapLogin(email:password:)",
                "LoginPresenter → LoginViewController.clearError()",
                "LoginPresenter → LoginViewController.showLoading(_:)",
                "LoginPresenter → LoginInteractor.login(email:password:)",
                "LoginInteractor → AuthService.login(email:password:)",
                "LoginInteractor → LoginPresenter.loginFailed(error:)",
                "LoginPresenter → LoginViewController.showLoading(_:)",
                "LoginPresenter → LoginViewController.showError(_:)",
            ])
    }

    @Test func `MVVM-C's detail is dismissed`() async throws {
        let client = try GallerySite.visitor()
        _ = try await client.post("/patterns/mvvm-c/user/2/detail", form: ["action": "dismiss"])
        #expect(
            try await rows(.mvvmC, client) == [
                "Browser → UserDetailViewController.dismissAction()",
                "UserDetailViewController → UserDetailViewModel.dismiss()",
                "UserDetailViewModel → UserDetailCoordinator.dismiss()",
                "UserDetailCoordinator → UserCoordinator.finish()",
            ])
    }

    @Test func `VIPER's last item`() async throws {
        let client = try GallerySite.visitor()
        _ = try await client.post("/patterns/viper/items/2", form: ["action": "next"])
        #expect(
            try await rows(.viper, client) == [
                "Browser → CountViewController.showNext()",
                "CountViewController → CountPresenter.showNext()",
                "CountPresenter → CountInteractor.findNextItem(currentIndex:)",
                "CountInteractor → CountPresenter.lastPageReached()",
                "CountPresenter → CountInteractor.findItem(withIndex:)",
                "CountInteractor → CountPresenter.foundItem(_:)",
                "CountPresenter → CountViewController.setTitle(_:)",
                "CountPresenter → CountViewController.setMessage(_:)",
                "CountPresenter → CountViewController.setError(_:)",
            ])
    }

    @Test func `MVP's counter`() async throws {
        let client = try GallerySite.visitor()
        _ = try await client.post("/patterns/mvp/counter")
        #expect(
            try await rows(.mvp, client) == [
                "Browser → CounterViewController.incrementButtonTapped()",
                "CounterViewController → CounterPresenter.handleIncrement()",
                "CounterPresenter → CounterViewController.render(_:)",
            ])
    }

    @Test func `MVP-R's detail`() async throws {
        let client = try GallerySite.visitor()
        _ = try await client.post("/patterns/mvp-r/label")
        #expect(
            try await rows(.mvpR, client) == [
                "Browser → LabelViewController.nextButtonTapped()",
                "LabelViewController → LabelPresenter.goToDetail()",
                "LabelPresenter → LabelRouter.showDetail()",
            ])
    }

    @Test func `looking at a page is no interaction, and each visitor has a trace of their own`() async throws {
        let (one, other) = (try GallerySite.visitor(), try GallerySite.visitor())
        _ = try await one.post("/patterns/mvc/login", form: GallerySite.right)
        _ = try await one.get("/patterns/mvc/home")
        #expect(try await rows(.mvc, one).count == 2)
        #expect(try await rows(.mvc, other).isEmpty)
        #expect(try await other.get("/patterns/mvc").text.contains("Nothing yet"))
    }

    @Test func `a trace is kept as text, and has an end`() {
        let calls = [
            TracedCall(role: "A", function: "b(c: d)", microseconds: 7),
            TracedCall(role: "B", function: "c()", microseconds: 1_234_567),
        ]
        #expect(TracedCall.calls(in: TracedCall.text(calls)) == calls)
        let rows = TraceRow.rows(calls, nil)
        #expect(rows.map(\.milliseconds) == ["0.00", "1234.56"])
        let trace = Trace()
        Trace.$current.withValue(trace) { for _ in 0..<100 { PatternCore.trace("f()", file: "M/A.swift") } }
        #expect(trace.all.count == 64)
    }
}
