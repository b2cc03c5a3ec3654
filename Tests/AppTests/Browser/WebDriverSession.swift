import FoundationEssentials
import HTTPTypes
import RoostTesting

/// A session of the W3C WebDriver protocol, as JSON over HTTP: commands go out, values come back.
struct WebDriverSession: Sendable {
    private let port: Int
    private let root: String

    /// Opens a session, which starts a browser.
    ///
    /// - Parameter port: Where the driver listens.
    static func create(port: Int, capabilities: JSONValue) async throws -> WebDriverSession {
        let body: JSONValue = ["capabilities": ["alwaysMatch": capabilities]]
        let value = try await command(port, .post, "/session", body)
        guard let id = value["sessionId"].string else {
            throw WebDriverError(code: "no session id", message: "\(value)")
        }
        return WebDriverSession(port: port, root: "/session/\(id)")
    }

    func get(_ path: String) async throws -> JSONValue {
        try await Self.command(port, .get, "\(root)/\(path)", nil)
    }

    @discardableResult
    func post(_ path: String, _ body: JSONValue = [:]) async throws -> JSONValue {
        try await Self.command(port, .post, "\(root)/\(path)", body)
    }

    func delete(_ path: String) async throws {
        _ = try await Self.command(port, .delete, "\(root)/\(path)", nil)
    }

    /// Runs a command of the Chrome DevTools Protocol, for anything that WebDriver cannot do.
    @discardableResult
    func devTools(_ command: String, _ parameters: JSONValue = [:]) async throws -> JSONValue {
        try await post("goog/cdp/execute", ["cmd": .string(command), "params": parameters])
    }

    private static func command(
        _ port: Int,
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: JSONValue?
    ) async throws -> JSONValue {
        let bytes = try body.map { Array(try JSONEncoder().encode($0)) } ?? []
        // `WireClient` would wait for the connection to close: the driver promises `Connection: close`, but keeps it
        // open.
        let connection = try await HTTPConnection.connect(port: port, timeout: .seconds(300))
        defer { connection.close() }
        try await connection.send(method, path, headers: [.contentType: "application/json"], body: bytes)
        let response = try await connection.readResponse(to: method)
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(response.body))["value"]
        guard response.status == .ok else {
            // Only the first line: in some versions a stack trace of the driver follows.
            let message = value["message"].string ?? response.text
            let line = message.split(separator: "\n").first ?? ""
            throw WebDriverError(code: value["error"].string ?? "\(response.status)", message: String(line))
        }
        return value
    }
}
