/// `Templates/patterns/screens/home.mustache`
package struct HomePage: Screen {
    /// `Welcome, test@example.com`
    package let welcome: String

    package init(welcome: String) {
        self.welcome = welcome
    }
}
