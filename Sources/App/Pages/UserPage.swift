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

    /// - Parameter form: The form that was refused.
    init(_ user: User, _ form: InvalidForm? = nil) {
        self.user = user.summary
        version = user.version
        name = form?.typed["name"].map { TypedText.shown($0, upTo: User.maximumNameBytes) } ?? user.name
        pictureURL = user.picture.map { _ in PictureController.picture.url(user.id) }
        error = form?.message(for: "name")
        // The error of a picture may be that of the whole form, which is too large.
        let isPicture = error == nil && form?.typed["name"] == nil
        pictureError = isPicture ? form.flatMap { $0.message(for: "picture") ?? $0.message } : nil
        failed = form != nil
    }
}
