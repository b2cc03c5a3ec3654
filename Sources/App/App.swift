import Roost

@main
struct App {
    static func main() async throws {
        let app = try Application { routes in
            routes.get(Path.root / "plaintext") { _ in "Hello, World!" }
            routes.get(Path.root / "hello" / String.self) { _, name in "Hello, \(name)!" }
            routes.post(Path.root / "echo") { request in try request.body.text }
        }
        try await app.run()
    }
}
