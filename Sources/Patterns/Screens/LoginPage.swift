/// The form of a login.
package struct LoginPage: Screen {
    package static let template = "login"

    /// The email that was typed. A password is never sent back in a page.
    package var email = ""
    package var isLoading = false
    package var errorMessage: String?
    /// The URL of a view model that the page then follows; only MVVM has one.
    package var liveURL: String?

    package init() {}
}
