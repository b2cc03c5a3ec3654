import HTTPTypes
import Roost
import RoostTesting
import Synchronization
import Testing

@testable import PatternCore
@testable import PatternMVVM
@testable import PatternScreens

/// MVVM's live binding: the page follows a view model that stays on the server.
@Suite("The live login", .quietLog, .timeLimit(.minutes(5)))
struct LiveLoginTests {
    private static let start = "/patterns/mvvm/login/live"

    /// A view model's URL.
    private func begin(_ client: TestClient) async throws -> String {
        let response = try await client.post(Self.start)
        #expect(response.status == .created)
        return try #require(response.headers[.location])
    }

    private func follow(_ url: String, _ client: TestClient) async throws -> HTTPConnection {
        let connection = try await client.connect()
        try await connection.send("GET \(url) HTTP/1.0\r\n\r\n")
        return connection
    }

    /// Returns the events that have come on a connection, once there are this many.
    private func events(_ connection: HTTPConnection, _ count: Int, _ text: inout [UInt8]) async throws -> [String] {
        while true {
            if let head = text.firstRange(of: Array("\r\n\r\n".utf8)) {
                let events = EventStreamReader.events(in: Array(text[head.upperBound...]))
                if events.count >= count { return events.map(\.data) }
            }
            text += try await connection.receive()
        }
    }

    @Test func `what a live screen keeps of a field is as long as an address can be`() throws {
        let long = String(repeating: "a", count: 100_000)
        let body = #"{"email":"\#(long)","password":"\#(long)"}"#
        let form = try JSONCoder().decode(LoginForm.self, from: Array(body.utf8))
        #expect(form.email.utf8.count == 254 && form.password.utf8.count == 254)
    }

    /// The state that an event shows, counted from 1.
    private func state(_ connection: HTTPConnection, _ count: Int, _ text: inout [UInt8]) async throws -> State {
        let data = try await events(connection, count, &text)[count - 1]
        return try JSONCoder().decode(State.self, from: Array(data.utf8))
    }

    private struct State: Decodable, Equatable {
        var email = ""
        var password = ""
        var isLoading = false
        var errorMessage: String?
        var isLoggedIn = false
    }

    @Test func `a page sees each state: what is typed, an error, loading, signed in`() async throws {
        let client = try GallerySite.visitor()
        let url = try await begin(client)
        let connection = try await follow(url, client)
        var text: [UInt8] = []
        #expect(try await state(connection, 1, &text) == State())
        #expect(try await client.put(url, form: ["email": "a@b", "password": ""]).status == .noContent)
        #expect(try await state(connection, 2, &text) == State(email: "a@b"))
        #expect(try await client.post(url, form: ["email": "a@b", "password": ""]).status == .noContent)
        #expect(
            try await state(connection, 3, &text) == State(email: "a@b", errorMessage: "Password cannot be empty"))
        _ = try await client.post(url, form: ["email": "a@b", "password": "c"])
        #expect(try await state(connection, 5, &text) == State(email: "a@b", password: "c", isLoading: true))
        // The view model empties the password, and the field with it.
        #expect(
            try await state(connection, 6, &text) == State(email: "a@b", errorMessage: "Invalid email or password"))
        _ = try await client.post(url, form: GallerySite.right)
        #expect(try await state(connection, 10, &text).isLoggedIn)
        connection.close()
        // The stream has set no cookie; the way home does.
        #expect(try await client.get("/patterns/mvvm/home").status == .seeOther)
        #expect(try await client.post(url + "/home").headers[.location] == "/patterns/mvvm/home")
        #expect(try await client.get("/patterns/mvvm/home").text.contains("Welcome, test@example.com"))
    }

    @Test func `a page that comes back sees the state as it is now`() async throws {
        let client = try GallerySite.visitor()
        let url = try await begin(client)
        _ = try await client.post(url, form: ["email": "", "password": ""])
        let connection = try await follow(url, client)
        var text: [UInt8] = []
        #expect(try await events(connection, 1, &text)[0].contains("Email cannot be empty"))
        connection.close()
    }

    @Test func `while it loads, a second press does nothing`() async throws {
        let gate = Gate()
        let client = try GallerySite.visitor(gate)
        let url = try await begin(client)
        async let first = client.post(url, form: GallerySite.right)
        await gate.waitForLogin()
        #expect(try await client.post(url, form: ["email": "", "password": ""]).status == .noContent)
        #expect(try await client.post(url + "/home").text.contains(#"<button type="submit" disabled>"#))
        gate.open()
        #expect(try await first.status == .noContent)
        #expect(try await client.post(url + "/home").status == .seeOther)
    }

    @Test func `without a login there is no way home, and no view model without its name`() async throws {
        let client = try GallerySite.visitor()
        let url = try await begin(client)
        #expect(try await client.post(url + "/home").status == .ok)
        #expect(try await client.get("/patterns/mvvm/home").headers[.location] == "/patterns/mvvm/login")
        for path in [Self.start + "/x", Self.start + "/x/home"] {
            #expect(try await client.post(path, form: GallerySite.right).status == .notFound)
        }
        #expect(try await client.get(Self.start + "/x").status == .notFound)
    }

    @Test func `there are at most a thousand, and one more gets 503`() async throws {
        let client = try GallerySite.visitor()
        let urls = try await (0..<1000).map { _ in Self.start }.asyncMap {
            try await client.post($0).headers[.location]
        }
        #expect(Set(urls).count == 1000)
        let refused = try await client.post(Self.start)
        #expect(refused.status == .serviceUnavailable)
        #expect(refused.headers[.retryAfter] == "60")
        // The page without a script needs none.
        #expect(try await client.post("/patterns/mvvm/login", form: GallerySite.right).status == .seeOther)
    }

    @Test func `when all places are taken, who has few gets one of who has most`() async throws {
        let live = LiveLogins(maximumCount: 4)
        let visitor = Visitor(.mvvm, [:]) {}
        let (greedy, modest) = (IPNetwork("192.0.2.1"), IPNetwork("192.0.2.2"))
        let id = try live.begin(visitor, for: greedy)
        let follower = try live.login(id).viewModel.state.values()
        for _ in 0..<3 { _ = try live.begin(visitor, for: greedy) }
        #expect(throws: HTTPError.self) { try live.begin(visitor, for: greedy) }
        _ = try live.begin(visitor, for: modest)
        #expect(throws: HTTPError.self) { try live.login(id) }
        for await _ in follower {}
        _ = try live.begin(visitor, for: modest)
        // Two each: there is nothing to share any more.
        #expect(throws: HTTPError.self) { try live.begin(visitor, for: modest) }
    }

    @Test func `after ten minutes one is gone, with those who follow it, and another has its place`() async throws {
        let time = Mutex(ContinuousClock.now)
        let live = LiveLogins(maximumCount: 2) { time.withLock { $0 } }
        let visitor = Visitor(.mvvm, [:]) {}
        let id = try live.begin(visitor)
        time.withLock { $0 += .seconds(300) }
        let later = try live.begin(visitor)
        #expect(throws: HTTPError.self) { try live.begin(visitor) }
        let follower = try live.login(id).viewModel.state.values()
        time.withLock { $0 += .seconds(300) }
        #expect(throws: HTTPError.self) { try live.login(id) }
        _ = try live.login(later)
        for await _ in follower {}
        _ = try live.begin(visitor)
    }
}
