/// The page that a login leads to.
package struct HomePage: Screen {
    package static let template = "home"

    /// `Welcome, test@example.com`
    package var welcome: String

    package init(welcome: String = "") {
        self.welcome = welcome
    }
}
