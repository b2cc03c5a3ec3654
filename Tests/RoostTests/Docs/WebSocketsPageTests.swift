import HTTPTypes
import Roost
import RoostTesting
import Testing

// The code of docs/websockets.md, letter for letter, but for the chat's: that is in Tests/Chat, and what differs for
// several instances in Tests/RoostPostgresTests.

private func makeApp() throws -> Application {
    try Application { routes in
        routes.webSocket(Path("/echo")) { socket, request in
            for try await message in socket {
                try await socket.send(message)
            }
        }
        routes.webSocket(Path("/rooms/{room}/seats/{seat}", String.self, Int.self)) { socket, request, room, seat in
            try await socket.send("This is seat \(seat) in \(room).")
        }
        routes.get(Path("/nests/{nest}", Int.self)) { request, nest in
            guard nest != 13 else { throw HTTPError(.forbidden, "This nest is taken.") }
            return try Response.webSocket(to: request) { socket in
                try await socket.send("Welcome to nest \(nest).")
            }
        }
        routes.webSocket(Path("/sums")) { socket, request in
            for try await message in socket {
                let numbers = try socket.decode([Int].self, from: message)
                try await socket.send(json: ["sum": numbers.reduce(0, &+)])
            }
        }
        let options = WebSocketOptions(
            subprotocols: ["birds.v2", "birds.v1"],
            maximumMessageSize: 64 * 1024,
            origins: .ownAnd(["https://app.example.com"]),
            compression: WebSocketCompression(keepsContext: true),
            pingInterval: .seconds(20),
            idleTimeout: .seconds(600)
        )
        routes.webSocket(Path("/birds"), options) { socket, request in
            try await socket.send("You speak \(socket.subprotocol ?? "nothing that is known here").")
        }
        routes.webSocket(Path("/guess")) { socket, request in
            for try await message in socket where message.text == "owl" {
                await socket.close(code: WebSocketCloseCode(rawValue: 4000), reason: "You have guessed it.")
            }
        }
    }
}

/// The page about WebSockets, and its small programs.
@Suite("The page about WebSockets", .quietLog, .timeLimit(.minutes(5)))
struct WebSocketsPageTests {
    @Test(.quietLog) func `the echo comes back`() async throws {
        let client = TestClient(try makeApp())
        let socket = try await client.webSocket("/echo")
        try await socket.send("Tu-whit")
        #expect(try await socket.receive() == .text("Tu-whit"))
        #expect(try await socket.close()?.code == .normal)
    }

    @Test func `its code is this code`() {
        func lines(_ text: String) -> String {
            text.split(separator: "\n").map { String($0.drop { $0 == " " }) }.joined(separator: "\n")
        }
        let page = Readme.contents("docs/websockets.md")
        let files = ["RoostTests/Docs/WebSocketsPageTests", "RoostPostgresTests/ChatTests"]
        let code = lines(files.map { Readme.contents("Tests/\($0).swift") }.joined())
        var blocks = page.components(between: "```swift\n", and: "```")
        let chat = Readme.contents("Tests/Chat/Chat.swift")
        #expect(blocks.filter { $0 == chat }.count == 1)
        blocks.removeAll { $0 == chat }
        #expect(blocks.count == 9)
        for block in blocks { #expect(code.contains(lines(block)), "\(block)") }
    }

    @Test(arguments: [("mustache", "Templates/chat.mustache"), ("js", "public/chat.js"), ("css", "public/chat.css")])
    func `the chat's other files are the page's`(language: String, file: String) {
        let blocks = Readme.contents("docs/websockets.md").components(between: "```\(language)\n", and: "```\n")
        #expect(blocks == [Readme.contents("Tests/Chat/" + file)])
    }

    @Test func `parameters have types, and others are refused`() async throws {
        let client = TestClient(try makeApp())
        let socket = try await client.webSocket("/rooms/the%20oak/seats/7")
        #expect(try await socket.receive() == .text("This is seat 7 in the oak."))
        #expect(try await socket.receive() == nil)
        #expect(socket.closed?.code == .normal)
        await #expect(throws: WebSocketRefused.self) { try await client.webSocket("/rooms/oak/seats/x") }
        #expect(try await client.get("/echo").status == .upgradeRequired)
    }

    @Test func `a route decides by the request`() async throws {
        let client = TestClient(try makeApp())
        let socket = try await client.webSocket("/nests/7")
        #expect(try await socket.receive() == .text("Welcome to nest 7."))
        do {
            _ = try await client.webSocket("/nests/13")
            Issue.record("nest 13 was accepted")
        } catch let error as WebSocketRefused {
            #expect(error.response.status == .forbidden)
        }
    }

    @Test func `JSON is read and written, and what is none ends the WebSocket`() async throws {
        let socket = try await TestClient(try makeApp()).webSocket("/sums")
        try await socket.send("[1, 2, 3]")
        #expect(try await socket.receive() == .text(#"{"sum":6}"#))
        try await socket.send("[1, 2")
        #expect(try await socket.receive() == nil)
        #expect(socket.closed?.code == .invalidData)
    }

    @Test func `options are kept`() async throws {
        let client = TestClient(try makeApp())
        let headers: Headers = [.secWebSocketProtocol: "birds.v3, birds.v1", .origin: "https://app.example.com"]
        let socket = try await client.webSocket("/birds", headers: headers)
        #expect(try await socket.receive() == .text("You speak birds.v1."))
        await #expect(throws: WebSocketRefused.self) {
            try await client.webSocket("/birds", headers: [.origin: "https://example.org"])
        }
    }

    @Test func `a handler closes for a reason of its own`() async throws {
        let socket = try await TestClient(try makeApp()).webSocket("/guess")
        for guess in ["jay", "owl"] { try await socket.send(guess) }
        #expect(try await socket.receive() == nil)
        #expect(socket.closed?.code.rawValue == 4000)
        #expect(socket.closed?.reason == "You have guessed it.")
    }
}
