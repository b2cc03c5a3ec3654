import Roost

struct User: Codable {
    let id: Int
    let name: String

    static let two = [User(id: 1, name: "Nelson"), User(id: 2, name: "Cathy")]
    static let thousand = (1...1000).map { User(id: $0, name: "Ann Example \($0)") }
}

/// A user that writes itself, as JSON and for templates.
struct WrittenUser: SelfWriting {
    let id: Int
    let name: String

    func write(to fields: inout Fields) {
        fields.add("id", id)
        fields.add("name", name)
    }

    static let two = User.two.map { WrittenUser(id: $0.id, name: $0.name) }
}

struct UsersPage: Encodable {
    let users: [User]

    static let two = UsersPage(users: User.two)
    static let hundred = UsersPage(users: (1...100).map { User(id: $0, name: "Ann & Bob <\($0)>") })

    static let template = """
        <!DOCTYPE html>
        <html><head><title>Users</title></head><body><h1>Users</h1><ul>
        {{#users}}
        <li>{{id}}: {{name}}</li>
        {{/users}}
        </ul></body></html>

        """
}

struct WrittenPage: SelfWriting {
    let users: [WrittenUser]

    func write(to fields: inout Fields) { fields.add("users", users) }

    static let hundred = WrittenPage(users: UsersPage.hundred.users.map { WrittenUser(id: $0.id, name: $0.name) })
}
