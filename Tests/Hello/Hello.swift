import Roost

@main
struct Hello {
    static func main() async {
        await Application.serve {
            try Application { routes in
                routes.get(Path.root / "hello" / String.self) { _, name in "Hello, \(name)!" }
                routes.get(Path.root / "users") { _ in
                    JSON([User(id: 1, name: "Nelson"), User(id: 2, name: "Cathy")])
                }
            }
        }
    }
}

struct User: Codable { var id: Int, name: String }
