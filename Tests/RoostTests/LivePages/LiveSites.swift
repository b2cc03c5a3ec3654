import Roost
import Synchronization

// The programs of docs/live.md, letter for letter.

struct Chirp: Encodable, Sendable {
    let id: Int
    let text: String
}

struct ChirpsPage: Encodable, Sendable {
    let messages: [Chirp]
}

final class Chirps: Controller {
    static let path = Path("/chat")

    private let messages = Mutex<[Chirp]>([])
    private let page: LivePage

    init(templates: Templates) throws { page = try LivePage(templates: templates, fragments: ["message"]) }

    func routes(_ routes: Routes) {
        routes.get(Self.path) { [self] _ in View("chat", ChirpsPage(messages: messages.withLock { $0 })) }
        routes.live(Self.path, on: page)
        routes.post(Self.path, use: say)
    }

    func say(_ request: Request) async throws -> Response {
        let text = try request.decode([String: String].self)["text"] ?? ""
        let message = messages.withLock { messages in
            messages.append(Chirp(id: messages.count + 1, text: text))
            return messages[messages.count - 1]
        }
        try await page.append(View("message", message), to: "messages", news: text)
        return .redirect(to: Self.path.url())
    }
}

struct PollPage: Encodable, Sendable {
    struct Choice: Encodable, Sendable {
        let name: String
        let votes: Int
    }

    let choices: [Choice]
}

final class Poll: Controller {
    static let path = Path("/poll")
    static let vote = Path("/poll/{name}", String.self)

    private let votes = Mutex(["owl": 0, "wren": 0])
    private let changes = Topic<String>()

    func routes(_ routes: Routes) {
        routes.get(Self.path) { [self] _ in
            let votes = votes.withLock { $0.sorted { $0.key < $1.key } }
            return View("poll", PollPage(choices: votes.map { .init(name: $0.key, votes: $0.value) }))
        }
        routes.live(Self.path, on: changes, sharedBy: { _ in "everybody" })
        routes.post(Self.vote) { [self] _, name in
            guard votes.withLock({ $0[name] }) != nil else { throw HTTPError(.notFound) }
            votes.withLock { $0[name, default: 0] += 1 }
            changes.publish(name)
            return Response.redirect(to: Self.path.url())
        }
    }
}

/// The templates of the page.
let liveTemplates = [
    "layout": """
    <!DOCTYPE html>
    <html lang="en">
    <head>
      <title>Birds</title>
      {{liveScript}}
    </head>
    <body>{{$content}}{{/content}}</body>
    </html>
    """,
    "message": #"<li id="message-{{id}}">{{text}}</li>"#,
    "chat": """
    {{<layout}}{{$content}}
    <ol id="messages" data-live>{{#messages}}{{> message}}{{/messages}}</ol>
    <form method="post" action="/chat" data-live>
      <input name="text" aria-label="Message" required>
      <button>Say</button>
    </form>
    {{/content}}{{/layout}}
    """,
    "poll": """
    {{<layout}}{{$content}}
    <ul id="votes" data-live>
      {{#choices}}
      <li>{{name}}: {{votes}}
        <form method="post" action="/poll/{{name}}" data-live><button>Vote for {{name}}</button></form>
      </li>
      {{/choices}}
    </ul>
    {{/content}}{{/layout}}
    """,
]
