import Roost

struct User: Codable {
    let id: Int
    let name: String
}

struct Account: Codable {
    let id: Int
    let name: String
    let email: String?
    let isActive: Bool
    let score: Double
    let roles: [String]
}

/// A tree of some 100 KB.
struct Node: Codable {
    let id: Int
    let label: String
    let weight: Double
    let tags: [String: String]
    let children: [Node]

    static func tree(depth: Int, id: Int = 1) -> Node {
        Node(
            id: id, label: "Node number \(id) of a tree", weight: Double(id) / 8,
            tags: ["colour": "green", "kind": depth == 0 ? "leaf" : "branch"],
            children: depth == 0 ? [] : (0..<5).map { tree(depth: depth - 1, id: id * 5 + $0) })
    }
}

enum Samples {
    static let twoUsers = [User(id: 1, name: "Nelson"), User(id: 2, name: "Cathy")]

    static let accounts = (1...1000).map(account)

    private static func account(_ id: Int) -> Account {
        let email: String? = id.isMultiple(of: 3) ? nil : "ann\(id)@example.com"
        let roles = id.isMultiple(of: 5) ? ["admin", "writer"] : ["reader"]
        return Account(
            id: id, name: "Ann Example \(id)", email: email, isActive: id.isMultiple(of: 2), score: Double(id) * 1.25,
            roles: roles)
    }

    static let tree = Node.tree(depth: 4)

    static let escapes = (0..<100).map { index in
        String(repeating: "say \"\(index)\"\n\tC:\\path\\\u{1}é\u{2028}\r\n", count: 8)
    }

    static let page = UsersPage(users: (1...100).map { User(id: $0, name: "Ann & Bob <\($0)>") })
    static let writtenPage = WrittenPage(users: page.users.map { WrittenUser(id: $0.id, name: $0.name) })

    static let profile = Profile(id: 7, name: "Ann & Bob", email: "ann@example.com", city: "Ghent", hash: "not shown")

    static let profileTemplate = "<h1>{{name}}</h1><p>{{id}}, {{email}}, {{city}}</p>\n"

    static let template = """
        <!DOCTYPE html>
        <html><head><title>Users</title></head><body><h1>Users</h1><ul>
        {{#users}}
        <li>{{id}}: {{name}}</li>
        {{/users}}
        </ul></body></html>

        """
}

struct Profile: Encodable {
    let id: Int
    let name: String
    let email: String
    let city: String
    let hash: String
}

struct UsersPage: Encodable {
    let users: [User]
}

/// The same page, in types that write themselves.
struct WrittenPage: SelfWriting {
    let users: [WrittenUser]

    func write(to fields: inout Fields) { fields.add("users", users) }
}

struct WrittenUser: SelfWriting {
    let id: Int
    let name: String

    func write(to fields: inout Fields) {
        fields.add("id", id)
        fields.add("name", name)
    }
}
