import HTTPTypes
import Roost
import RoostTesting
import Testing

@testable import Chat

/// The chat of docs/websockets.md.
@Suite("The chat", .quietLog, .timeLimit(.minutes(5)))
struct ChatTests {
    private func client() throws -> TestClient {
        TestClient(try makeChat(folder: Readme.root + "/Tests/Chat"))
    }

    /// A chat whose messages a test also publishes itself. `/flood` publishes without letting anybody on its loop, and
    /// so no reader of the chat, run in between.
    private func client(_ messages: Topic<ChatMessage>) throws -> TestClient {
        TestClient(
            try Application { routes in
                routes.add(ChatController(messages: messages))
                routes.post(Path("/flood/{count}", Int.self)) { _, count in
                    let text = String(repeating: "x", count: 500)
                    for _ in 0..<count { messages.publish(ChatMessage(name: "Flood", event: .said, text: text)) }
                    return HTTPResponse.Status.noContent
                }
            }
        )
    }

    private func line(_ socket: TestWebSocket) async throws -> ChatLine {
        let text = try #require(try await socket.receive()?.text)
        return try JSONCoder().decode(ChatLine.self, from: Array(text.utf8))
    }

    /// The next lines, as words.
    private func lines(_ count: Int, _ socket: TestWebSocket) async throws -> [String] {
        var lines: [String] = []
        for _ in 0..<count {
            let line = try await line(socket)
            let words = [line.message?.name, line.message?.event.rawValue, line.message?.text, line.error]
            lines.append(words.compactMap { $0 }.joined(separator: " "))
        }
        return lines
    }

    @Test func `everybody sees what anybody says, in the same order`() async throws {
        let client = try client()
        let ada = try await client.webSocket("/chat/Ada")
        #expect(try await lines(1, ada) == ["Ada joined"])
        let bob = try await client.webSocket("/chat/Bob")
        #expect(try await lines(2, bob) == ["Ada joined", "Bob joined"])
        #expect(try await lines(1, ada) == ["Bob joined"])
        try await ada.send("Hello <b>Bob</b>")
        for socket in [ada, bob] { #expect(try await lines(1, socket) == ["Ada said Hello <b>Bob</b>"]) }
        try await bob.send("Grüß dich 🦉")
        for socket in [ada, bob] { #expect(try await lines(1, socket) == ["Bob said Grüß dich 🦉"]) }
    }

    @Test func `one who comes later sees what was said, and one who comes back what was missed`() async throws {
        let messages = Topic<ChatMessage>()
        for number in 1...60 { messages.publish(ChatMessage(name: "Ada", event: .said, text: "\(number)")) }
        let client = try client(messages)
        let cyd = try await client.webSocket("/chat/Cyd")
        #expect(try await lines(50, cyd) == (12...60).map { "Ada said \($0)" } + ["Cyd joined"])
        let seen = messages.lastID - 2
        let back = try await client.webSocket("/chat/Cyd?after=\(seen)")
        #expect(try await lines(3, back) == ["Ada said 60", "Cyd joined", "Cyd joined"])
        let unknown = try await client.webSocket("/chat/Dan?after=7")
        #expect(try await lines(1, unknown) == ["Ada said 14"])
        withExtendedLifetime((cyd, back)) {}
    }

    @Test func `a message that is too long, or empty, only its sender hears of`() async throws {
        let client = try client()
        let (ada, bob) = (try await client.webSocket("/chat/Ada"), try await client.webSocket("/chat/Bob"))
        _ = try await (lines(2, ada), lines(2, bob))
        for text in [String(repeating: "ü", count: 501), ""] {
            try await ada.send(text)
            #expect(try await lines(1, ada) == ["A message has 1 to 500 characters."])
        }
        let longest = String(repeating: "🦉", count: 500)
        try await ada.send(longest)
        #expect(try await lines(1, bob) == ["Ada said " + longest])
    }

    @Test func `what breaks the rules ends the connection, and the others see that somebody has left`() async throws {
        let client = try client()
        let bob = try await client.webSocket("/chat/Bob")
        _ = try await lines(1, bob)
        let wrong: [(WebSocketMessage, WebSocketCloseCode)] = [
            (.text(String(repeating: "x", count: 4097)), .messageTooBig), (.binary([1]), .unsupportedData),
        ]
        for (message, code) in wrong {
            let ada = try await client.webSocket("/chat/Ada")
            try await ada.send(message)
            while try await ada.receive() != nil {}
            #expect(ada.closed?.code == code)
            #expect(try await lines(2, bob) == ["Ada joined", "Ada left"])
        }
    }

    @Test func `the others see who leaves, with a word or without`() async throws {
        let client = try client()
        let bob = try await client.webSocket("/chat/Bob")
        _ = try await lines(1, bob)
        for leave in [{ try await $0.close() }, { $0.reset() }] as [(TestWebSocket) async throws -> Void] {
            let ada = try await client.webSocket("/chat/Ada")
            #expect(try await lines(1, bob) == ["Ada joined"])
            try await leave(ada)
            #expect(try await lines(1, bob) == ["Ada left"])
        }
    }

    @Test func `one who has missed too much is told to come back`() async throws {
        let client = try client(Topic(history: 10))
        let ada = try await client.webSocket("/chat/Ada")
        _ = try await lines(1, ada)
        #expect(try await client.post("/flood/20").status == .noContent)
        #expect(try await ada.receive() == nil)
        #expect(ada.closed?.code == .tryAgainLater)
    }

    @Test func `one for whom the messages cannot be had is told that something went wrong`() async throws {
        let application = try Application { routes in routes.add(ChatController(messages: BrokenTopic())) }
        let ada = try await TestClient(application).webSocket("/chat/Ada")
        #expect(try await ada.receive() == nil)
        #expect(ada.closed?.code == .internalError)
    }

    @Test func `one who does not read is cut off, and the others go on`() async throws {
        let messages = Topic<ChatMessage>(history: 10_000)
        let client = try client(messages)
        let ada = try await client.webSocket("/chat/Ada")
        _ = try await lines(1, ada)
        let seen = messages.subscribe()
        #expect(try await client.post("/flood/4000").status == .noContent)
        try await client.pass(.seconds(100))
        for try await message in seen where message.event.event == .left { break }
        withExtendedLifetime(ada) {}
        let bob = try await client.webSocket("/chat/Bob?after=\(messages.lastID)")
        #expect(try await lines(1, bob) == ["Bob joined"])
    }

    @Test func `when the server stops, everybody is told to come back`() async throws {
        let client = try client()
        let ada = try await client.webSocket("/chat/Ada")
        _ = try await lines(1, ada)
        async let stopped: Void = client.stop()
        while try await ada.receive() != nil {}
        #expect(ada.closed?.code == .goingAway)
        try await stopped
    }

    @Test func `the page shows names as text, and has no script inside`() async throws {
        let client = try client()
        #expect(try await client.get("/chat").text.contains("<input name=\"name\" value=\"\""))
        let page = try await client.get("/chat?name=%3Cb%3E")
        #expect(page.text.contains("<h1>You are &lt;b&gt;</h1>"))
        #expect(page.text.contains("data-socket=\"/chat/%3Cb%3E\""))
        #expect(page.text.components(between: "<script", and: "</script>") == [" src=\"/chat.js\" defer>"])
        #expect(page.headers["Content-Security-Policy"]?.contains("default-src 'self'") == true)
        let socket = try await client.webSocket("/chat/%3Cb%3E")
        #expect(try await line(socket).message?.name == "<b>")
        for name in ["", "123", String(repeating: "x", count: 31)] {
            #expect(try await client.get("/chat?name=" + name).status == .unprocessableContent)
        }
        await #expect(throws: WebSocketRefused.self) { try await client.webSocket("/chat/123") }
    }

    @Test func `the script is a short file, and makes no HTML`() async throws {
        let script = try await client().get("/chat.js")
        #expect(script.status == .ok)
        #expect(script.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 60)
        for word in ["innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval"] {
            #expect(!script.text.contains(word))
        }
    }
}

/// A topic that nobody can follow.
private struct BrokenTopic: TopicProtocol {
    struct Broken: Error {}

    let events = Topic<ChatMessage>()

    func subscribe(after id: String?) async throws -> TopicSubscription<ChatMessage> { throw Broken() }

    func publish(_ event: ChatMessage) async throws -> Int { events.publish(event) }
}
