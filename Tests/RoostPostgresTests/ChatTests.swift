import Processes
import Roost
import RoostSQL
import RoostTesting
import Testing

@testable import Chat
@testable import RoostPostgres

/// The chat of docs/websockets.md, as it is there for several instances.
private func makeChat(_ database: Database, folder: String) throws -> Application {
    let templates = try Templates(directory: folder + "/Templates")
    let messages = SQLTopic<ChatMessage>("chat", in: database)
    return try Application(services: [database, messages], templates: templates) { routes in
        routes.add(ChatController(messages: messages))
    }
}

/// Three instances of the chat, as far as they know, that share one database.
@Suite(
    "The chat in PostgreSQL", .quietLog,
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5))
)
struct ChatTests {
    private static let folder =
        #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 } + "/Chat"

    private func database(_ url: String) throws -> Database {
        let driver = try PostgresDriver(url, configuration: .patient, logger: .silent)
        return Database(driver, configuration: .patient, logger: .silent)
    }

    private func makeTables(_ url: String) async throws {
        try await Place.loop.run {
            let database = try database(url)
            try await database.start()
            try await database.batch([
                "CREATE TABLE topics (name TEXT PRIMARY KEY, last_id BIGINT NOT NULL)",
                """
                CREATE TABLE topic_events (topic TEXT NOT NULL, id BIGINT NOT NULL, payload TEXT NOT NULL,
                    PRIMARY KEY (topic, id))
                """,
            ])
            await database.stop()
        }
    }

    private func instance(_ url: String) throws -> TestClient {
        TestClient(try makeChat(database(url), folder: Self.folder))
    }

    /// The next lines, as ids and words.
    private func lines(_ count: Int, _ socket: TestWebSocket) async throws -> [String] {
        var lines: [String] = []
        while lines.count < count {
            let text = try #require(try await socket.receive()?.text)
            let line = try JSONCoder().decode(ChatLine.self, from: Array(text.utf8))
            let message = try #require(line.message)
            lines.append("\(line.id ?? 0) \(message.name) \(message.event) \(message.text ?? "")")
        }
        return lines
    }

    @Test func `clients of three instances see the same, in the same order, and so does one after a restart`()
        async throws
    {
        let url = try await PostgresServer.shared().makeDatabase()
        try await makeTables(url)
        let instances = try (0..<4).map { _ in try instance(url) }
        let sockets = try await withThrowingTaskGroup(of: TestWebSocket.self) { group in
            for (instance, name) in zip(instances, ["Ada", "Bob", "Cyd"]) {
                group.addTask { try await instance.webSocket("/chat/" + name) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for number in 1...5 {
            for socket in sockets { try await socket.send("message \(number)") }
        }
        var seen: [[String]] = []
        for socket in sockets { seen.append(try await lines(18, socket)) }
        #expect(seen[0] == seen[1] && seen[1] == seen[2])
        #expect(seen[0].filter { $0.contains(" joined ") }.count == 3)
        #expect(Set(seen[0]).count == 18)
        try await sockets[2].close()
        let left = try await lines(1, sockets[0])
        #expect(left[0].hasSuffix(" left "))
        #expect(try await lines(1, sockets[1]) == left)
        // It begins now.
        let late = try await instances[3].webSocket("/chat/Dan")
        #expect(try await lines(20, late).dropLast() == seen[0] + left)
        for socket in [sockets[0], sockets[1], late] { try await socket.close() }
        for instance in instances { try await instance.stop() }
    }
}
