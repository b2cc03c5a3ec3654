import Roost

/// `Templates/users/show.mustache`
struct UserPage: Encodable, Sendable {
    let user: User.Summary
    /// The version that the forms change.
    let version: Int
    /// The content of the form's field.
    let name: String
    /// The message about the field; nil if nothing is wrong with it.
    let error: String?
    /// The URL of the picture; nil without one.
    let pictureURL: String?
    /// The message that says why a picture was refused.
    let pictureError: String?
    let failed: Bool

    /// - Parameter form: The form for the name that was refused, or the one to remove the user.
    init(_ user: User, renaming form: InvalidForm? = nil) {
        let typed = form?.typed["name"].map { TypedText.shown($0, upTo: User.maximumNameBytes) }
        self.init(user, name: typed, error: form.flatMap { $0.message(for: "name") ?? $0.message }, failed: form != nil)
    }

    /// - Parameter form: The form for the picture that was refused. It has no field to show a message beside when it is
    ///   too large as a whole.
    init(_ user: User, picture form: InvalidForm) {
        self.init(user, pictureError: form.message(for: "picture") ?? form.message, failed: true)
    }

    private init(_ user: User, name: String? = nil, error: String? = nil, pictureError: String? = nil, failed: Bool) {
        self.user = user.summary
        version = user.version
        self.name = name ?? user.name
        self.error = error
        pictureURL = PictureController.url(of: user)
        self.pictureError = pictureError
        self.failed = failed
    }
}
