import Roost

@main
struct Chat {
    static func main() async {
        await Application.serve { try makeChat() }
    }
}

func makeChat(folder: String = ".") throws -> Application {
    try Application(templates: Templates(directory: folder + "/Templates")) { routes in
        routes.add(ChatController(messages: Topic<ChatMessage>()))
        routes.fallback(try StaticFiles(folder + "/public"))
    }
}

/// A message to all clients.
struct ChatMessage: Codable {
    enum Event: String, Codable { case joined, said, left }

    let name: String
    let event: Event
    var text: String?
}

/// The name of a person: 1 to 30 characters, at least one of them a letter.
struct ChatName: PathParameter, LosslessStringConvertible {
    let description: String

    init?(_ text: String) {
        guard text.utf8.count <= 120, text.count <= 30, text.contains(where: \.isLetter) else { return nil }
        description = text
    }
}

struct ChatController: Controller {
    static let page = Path("/chat")
    static let socket = Path("/chat/{name}", ChatName.self)

    let messages: any TopicProtocol<ChatMessage>

    func routes(_ routes: Routes) {
        routes.get(Self.page, use: show)
        routes.webSocket(Self.socket, WebSocketOptions(maximumMessageSize: 4096), use: join)
    }

    /// `GET /chat` asks for a name, and `GET /chat?name=Ada` shows the chat.
    func show(_ request: Request) async throws -> Response {
        guard let typed = request.query["name"] else { return .view("chat", ChatPage()) }
        guard let name = ChatName(typed) else {
            let page = ChatPage(typed: typed, error: "A name has a letter, and at most 30 characters.")
            return .view("chat", page, status: .unprocessableContent)
        }
        return .view("chat", ChatPage(room: .init(name: typed, socket: Self.socket.url(name))))
    }

    /// Reads what one client says, and sends it what all say, until it leaves.
    func join(_ socket: WebSocket, _ request: Request, name: ChatName) async throws {
        try await messages.publish(ChatMessage(name: name.description, event: .joined))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await follow(socket, after: request.query["after"]) }
            tasks.addTask { try await read(socket, name: name) }
            do {
                try await tasks.next()
            } catch is WebSocketClosed {
                // It has left without a word.
            }
            tasks.cancelAll()
        }
        try await messages.publish(ChatMessage(name: name.description, event: .left))
    }

    private func read(_ socket: WebSocket, name: ChatName) async throws {
        for try await message in socket {
            switch message {
            case .text(let text) where (1...500).contains(text.unicodeScalars.count):
                try await messages.publish(ChatMessage(name: name.description, event: .said, text: text))
            case .text:
                try await socket.send(json: ChatLine(error: "A message has 1 to 500 characters."))
            case .binary:
                await socket.close(code: .unsupportedData, reason: "Only text is understood here.")
            }
        }
    }

    /// Sends the last fifty messages, or those after the last one that the client has seen, and then all that come.
    private func follow(_ socket: WebSocket, after id: String?) async throws {
        var subscription = try await messages.subscribe(after: id)
        if id == nil || subscription.hasMissedEvents { subscription = messages.events.subscribe(last: 50) }
        do {
            for try await message in subscription {
                try await socket.send(json: ChatLine(id: message.id, message: message.event))
            }
        } catch is FellBehind {
            await socket.close(code: .tryAgainLater, reason: "This client reads too slowly.")
        }
    }
}

/// A line to a client: a message with its id, or the error in the client's own message.
struct ChatLine: Codable {
    var id: Int?
    var message: ChatMessage?
    var error: String?
}

struct ChatPage: Encodable {
    struct Room: Encodable { let name: String, socket: String }

    var room: Room?
    var typed = ""
    var error: String?
}
