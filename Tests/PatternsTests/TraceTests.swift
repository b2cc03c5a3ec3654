import PatternCore
import Roost
import RoostTesting
import Testing

@testable import Patterns

/// The calls of a visitor's last press, as the chapters show them.
@Suite("The trace", .quietLog, .timeLimit(.minutes(5)))
struct TraceTests {
    private func calls(_ pattern: Pattern, _ client: TestClient) async throws -> [String] {
        let rows = try await client.get(pattern.path).text.components(between: "<li><span>", and: "</li>")
        return rows.map { $0.replacing("</span> <code>", with: ".").replacing("</code>", with: "") }
    }

    @Test func `each call is noted, in order`() async throws {
        let client = try GallerySite.visitor()
        _ = try await client.post("/patterns/mvp/login", form: GallerySite.right)
        #expect(
            try await calls(.mvp, client) == [
                "LoginViewController.loginButtonTapped(_:)", "LoginPresenter.didTapLogin(email:password:)",
                "LoginViewController.showLoading()", "AuthService.login(email:password:)",
                "LoginViewController.hideLoading()", "LoginViewController.navigateToHome()",
            ])
    }

    @Test(arguments: Pattern.withLogin)
    func `in every pattern, a login reaches the model`(pattern: Pattern) async throws {
        let client = try GallerySite.visitor()
        _ = try await client.post(pattern.path + "/login", form: GallerySite.right)
        #expect(try await calls(pattern, client).contains("AuthService.login(email:password:)"))
    }

    @Test func `looking at a page is no press, and each visitor has a trace of their own`() async throws {
        let (one, other) = (try GallerySite.visitor(), try GallerySite.visitor())
        _ = try await one.post("/patterns/mvc/login", form: GallerySite.right)
        _ = try await one.get("/patterns/mvc/home")
        #expect(try await calls(.mvc, one).count == 2)
        #expect(try await other.get("/patterns/mvc").text.contains("Nothing yet"))
    }

    @Test func `a trace has an end`() {
        let trace = Trace()
        Trace.$current.withValue(trace) { for _ in 0..<100 { PatternCore.trace("f()", file: "M/A.swift") } }
        #expect(trace.calls == Array(repeating: "A.f()", count: 64))
    }
}
