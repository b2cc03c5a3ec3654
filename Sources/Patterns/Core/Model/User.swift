/// A user who has signed in.
package struct User: Equatable, Sendable {
    package let id: Int
    package let email: String

    package init(id: Int, email: String) {
        self.id = id
        self.email = email
    }
}
