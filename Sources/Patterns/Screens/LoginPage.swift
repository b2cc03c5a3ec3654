/// The form of a login.
package struct LoginPage: Screen {
    package static let template = "login"

    /// The email that was typed. A password is never sent back in a page.
    package var email = ""
    package var isLoading = false
    package var errorMessage: String?

    package init() {}
}
