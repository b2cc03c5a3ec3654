import HTTPTypes
import PatternCore
import Roost
import RoostTesting
import Testing

/// The documents' other screens.
@Suite("The other screens", .quietLog, .timeLimit(.minutes(5)))
struct ScreenTests {
    /// Presses a button, and follows where it leads; returns the path and the page.
    private func press(_ action: String, at path: String, _ client: TestClient) async throws -> (String, String) {
        let response = try await client.post(path, form: ["action": action])
        guard let location = response.headers[.location] else { return (path, response.text) }
        return (location, try await client.get(location).text)
    }

    private func label(_ page: String) -> String? {
        page.components(between: #"id="label">"#, and: "<").first
    }

    private func coordinators(_ page: String) -> String? {
        page.components(between: #"id="coordinators">At work: "#, and: "<").first
    }

    private static func count(_ count: Int) -> String {
        #"<h1 id="count" data-live aria-live="polite">\#(count)</h1>"#
    }

    @Test func `MVP's counter counts for each visitor`() async throws {
        let (one, other) = (try GallerySite.visitor(), try GallerySite.visitor())
        #expect(try await one.get("/patterns/mvp/counter").text.contains(Self.count(0)))
        for count in 1...3 {
            let page = try await one.post("/patterns/mvp/counter").text
            #expect(page.contains(Self.count(count)))
        }
        #expect(try await one.get("/patterns/mvp/counter").text.contains(Self.count(3)))
        #expect(try await other.get("/patterns/mvp/counter").text.contains(Self.count(0)))
    }

    @Test func `what a visitor does in another pattern, while a login waits, is kept`() async throws {
        let gate = Gate()
        let client = try GallerySite.visitor(gate)
        _ = try await client.post("/patterns/mvp/counter")
        async let login = client.post("/patterns/mvc/login", form: GallerySite.right)
        await gate.waitForLogin()
        _ = try await client.post("/patterns/mvp/counter")
        gate.open()
        #expect(try await login.status == .seeOther)
        #expect(try await client.get("/patterns/mvp/counter").text.contains(Self.count(2)))
        #expect(try await client.get("/patterns/mvc/home").status == .ok)
    }

    @Test func `MVC's label leads to the detail and back`() async throws {
        let client = try GallerySite.visitor()
        #expect(label(try await client.get("/patterns/mvc/label").text) == "Home")
        let (detail, page) = try await press("next", at: "/patterns/mvc/label", client)
        #expect(detail == "/patterns/mvc/label/detail")
        #expect(label(page) == "Detail")
        let (back, end) = try await press("dismiss", at: detail, client)
        #expect(back == "/patterns/mvc/label")
        #expect(label(end) == "Home")
    }

    @Test func `MVP-R's label says that the detail was dismissed`() async throws {
        let client = try GallerySite.visitor()
        #expect(label(try await client.get("/patterns/mvp-r/label").text) == "Home")
        let (detail, page) = try await press("next", at: "/patterns/mvp-r/label", client)
        #expect(detail == "/patterns/mvp-r/label/detail")
        #expect(label(page) == "Detail")
        let (back, end) = try await press("dismiss", at: detail, client)
        #expect(label(end) == "Dismissed")
        #expect(try await press("next", at: back, client).0 == detail)
    }

    @Test func `MVVM-C's user leads to the next screen and to the detail, each with its coordinators`() async throws {
        let client = try GallerySite.visitor()
        let first = try await client.get("/patterns/mvvm-c/user").text
        #expect(label(first) == "Mark")
        #expect(coordinators(first) == "AppCoordinator › UserCoordinator")
        #expect(label(try await press("reload", at: "/patterns/mvvm-c/user", client).1) == "Mark")
        let (next, nextPage) = try await press("next", at: "/patterns/mvvm-c/user", client)
        #expect(next == "/patterns/mvvm-c/user/2")
        #expect(nextPage.contains("<h1>User, screen 2</h1>"))
        let (detail, page) = try await press("detail", at: next, client)
        #expect(detail == "/patterns/mvvm-c/user/2/detail")
        #expect(label(page) == "Detail - Mark")
        #expect(coordinators(page) == "AppCoordinator › UserCoordinator › UserDetailCoordinator")
        let (back, end) = try await press("dismiss", at: detail, client)
        #expect(back == next)
        #expect(coordinators(end) == "AppCoordinator › UserCoordinator")
    }

    @Test func `VIPER's items have a next one, a detail, and a last one`() async throws {
        let client = try GallerySite.visitor()
        var (path, page) = ("/patterns/viper/items", try await client.get("/patterns/viper/items").text)
        for item in ["First", "Second", "Third"] {
            #expect(label(page) == item)
            let (detail, detailPage) = try await press("detail", at: path, client)
            #expect(label(detailPage) == item)
            #expect(label(try await press("cancel", at: detail, client).1) == item)
            (path, page) = try await press("next", at: path, client)
        }
        #expect(path == "/patterns/viper/items/2")
        #expect(label(page) == "Third")
        #expect(page.contains("Last page reached"))
    }

    @Test(arguments: ["/patterns/viper/items/3", "/patterns/viper/items/-1", "/patterns/viper/items/7/detail"])
    func `an item that is not there leads to the first`(path: String) async throws {
        #expect(try await GallerySite.visitor().get(path).headers[.location] == "/patterns/viper/items")
    }

    @Test(arguments: ["/patterns/viper/items", "/patterns/mvvm-c/user"])
    func `a button that is not there is refused`(path: String) async throws {
        #expect(try await GallerySite.visitor().post(path, form: ["action": "x"]).status == .unprocessableContent)
    }
}
