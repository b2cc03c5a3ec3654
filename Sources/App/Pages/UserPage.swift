import Roost

/// `Templates/users/show.mustache`
struct UserPage: Encodable, Sendable {
    let user: User
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

    init(_ user: User, typed: String? = nil, error: String? = nil, pictureError: String? = nil) {
        self.user = user
        pictureURL = user.picture.map { _ in PictureController.picture.url(user.id) }
        self.pictureError = pictureError
        failed = error != nil || pictureError != nil
        version = user.version
        name = typed.map { TypedText.shown($0, upTo: UserName.maximumBytes) } ?? user.name
        self.error = error
    }
}
