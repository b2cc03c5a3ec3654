import HTTPTypes
import Roost
import RoostTesting
import Testing

/// Middleware that never waits, in front of handlers that do not wait and of handlers that do.
@Suite("Middleware that never waits", .timeLimit(.minutes(5)))
struct FilterTests {
    private enum Trail: RequestKey { typealias Value = String }

    private struct Broken: Error {}

    /// Marks requests and responses, and records the errors that it has seen.
    private struct Mark: Filter {
        let letter: String

        func before(_ request: inout Request) throws -> Response? {
            request[Trail.self] = (request[Trail.self] ?? "") + letter
            if request.query["stop"] == letter { return .text("stopped by \(letter)") }
            if request.query["fail"] == letter { throw Broken() }
            return nil
        }

        func after(_ response: inout Response, to request: Request) throws {
            response.headers.append(.server, letter + (request[Trail.self] ?? ""))
            if request.query["failAfter"] == letter { throw Broken() }
        }

        func recover(from error: any Error, in request: Request) throws -> Response {
            guard request.query["recover"] == letter else { throw error }
            return .text("\(letter) recovered from \(type(of: error)) of \(request[Trail.self] ?? "")")
        }
    }

    /// The same as middleware that waits.
    private struct Waiting: Middleware {
        let mark: Mark

        func respond(to request: Request, next: Next) async throws -> Response {
            await Task.yield()
            return try await mark.respond(to: request, next: next)
        }
    }

    /// `/now` does not wait, `/later` does: both show what has arrived and whether they are in a task.
    private static func client(_ middleware: [any Middleware]) throws -> TestClient {
        let text = { @Sendable (request: Request) in
            "\(request[Trail.self] ?? "") in \(withUnsafeCurrentTask { $0 == nil ? "no task" : "a task" })"
        }
        return TestClient(
            try Application(middleware: middleware) { routes in
                routes.get(Path("/now")) { request in text(request) }
                routes.get(Path("/later")) { request in
                    await Task.yield()
                    return text(request)
                }
                routes.get(Path("/broken")) { _ -> String in throw Broken() }
                routes.get(Path("/broken/later")) { _ -> String in
                    await Task.yield()
                    throw Broken()
                }
            }
        )
    }

    private static let chains: [[any Middleware]] = [
        [Mark(letter: "a"), Mark(letter: "b")],
        [Mark(letter: "a"), Waiting(mark: Mark(letter: "b"))],
        [Waiting(mark: Mark(letter: "a")), Mark(letter: "b")],
    ]

    @Test func `costs a handler that does not wait no task`() async throws {
        let response = try await Self.client(Self.chains[0]).get("/now")
        #expect(response.text == "ab in no task")
        #expect(try await Self.client(Self.chains[1]).get("/now").text == "ab in a task")
        #expect(try await Self.client(Self.chains[2]).get("/now").text == "ab in a task")
    }

    @Test func `nor do those that every application has`() async throws {
        let client = TestClient(
            try Application { routes in
                routes.get(Path("/")) { _ in withUnsafeCurrentTask { $0 == nil ? "no task" : "a task" } }
            }
        )
        let response = try await client.get("/")
        #expect(response.text == "no task")
        #expect(response.headers[.requestID]?.utf8.count == 13)
        #expect(response.headers[.contentSecurityPolicy] != nil)
    }

    @Test(arguments: 0..<3, ["/now", "/later"])
    func `runs from the outside in, and back`(chain: Int, path: String) async throws {
        let response = try await Self.client(Self.chains[chain]).get(path)
        #expect(response.text.hasPrefix("ab in "))
        // The outer one sees what the inner one has set, unless that waits and so has a copy of its own.
        #expect(response.headers[.server] == (chain == 1 ? "bab, aa" : "bab, aab"))
    }

    @Test(arguments: 0..<3)
    func `may respond itself; its own after does not run then`(chain: Int) async throws {
        let client = try Self.client(Self.chains[chain])
        let inner = try await client.get("/now?stop=b")
        #expect(inner.text == "stopped by b")
        #expect(inner.headers[.server]?.hasPrefix("aa") == true)
        let outer = try await client.get("/now?stop=a")
        #expect(outer.text == "stopped by a")
        #expect(outer.headers[.server] == nil)
    }

    @Test(arguments: 0..<3, ["/broken", "/broken/later"])
    func `recovers from an error of what follows, the innermost first`(chain: Int, path: String) async throws {
        let client = try Self.client(Self.chains[chain])
        #expect(try await client.get(path + "?recover=b").text == "b recovered from Broken of ab")
        #expect(try await client.get(path + "?recover=a").text.hasPrefix("a recovered from Broken of a"))
        #expect(try await client.get(path).status == .internalServerError)
    }

    @Test(arguments: 0..<3)
    func `does not recover from its own errors`(chain: Int) async throws {
        let client = try Self.client(Self.chains[chain])
        for query in ["fail=b&recover=b", "failAfter=b&recover=b", "fail=a&recover=a"] {
            #expect(try await client.get("/now?" + query).status == .internalServerError, "\(query)")
        }
        for query in ["fail=b&recover=a", "failAfter=b&recover=a"] {
            #expect(try await client.get("/now?" + query).text.hasPrefix("a recovered"), "\(query)")
        }
    }
}
