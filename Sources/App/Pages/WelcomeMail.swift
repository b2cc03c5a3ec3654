import RoostMail

/// The mail to a new account.
struct WelcomeMail: Encodable, Sendable {
    let email: String
    /// The page on which the owner signs in.
    let loginURL: String

    /// The mail itself.
    var mail: Mail {
        Mail(to: MailAddress(email), subject: "Welcome to Roost", view: "mails/welcome", self)
    }
}
