import Roost

@main
struct Hello {
    static func main() async {
        await Application.serve {
            try Application { routes in
                routes.get(Path("/hello/{name}", String.self)) { _, name in "Hello, \(name)!" }
                routes.get(Path("/users")) { _ in
                    JSON([User(id: 1, name: "Nelson"), User(id: 2, name: "Cathy")])
                }
            }
        }
    }
}

struct User: Codable { var id: Int, name: String }
