/// `Templates/patterns/screens/login.mustache`
package struct LoginPage: Screen {
    /// What was typed.
    package var email = ""
    package var isLoading = false
    package var errorMessage: String?
    /// Where a view model can be had that the page then follows; only MVVM has one.
    package var liveURL: String?

    package init() {}

    private enum CodingKeys: CodingKey {
        case email
        case isLoading
        case errorMessage
        case liveURL
    }

    /// Writes a name that was typed only as far as an address can be long (RFC 5321 §4.5.3.1.3).
    package func encode(to encoder: any Encoder) throws {
        var page = encoder.container(keyedBy: CodingKeys.self)
        try page.encode(String(decoding: email.utf8.prefix(254), as: UTF8.self), forKey: .email)
        try page.encode(isLoading, forKey: .isLoading)
        try page.encode(errorMessage, forKey: .errorMessage)
        try page.encode(liveURL, forKey: .liveURL)
    }
}
