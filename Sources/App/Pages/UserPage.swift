import Roost

/// `Templates/users/show.mustache`
struct UserPage: Encodable, Sendable {
    let user: User
    /// The version that the forms change.
    let version: Int
    /// The content of the form's field.
    let name: String
    /// What is wrong with it.
    let error: String?
    /// Where the picture is; nil without one.
    let pictureURL: String?
    /// Why a picture was refused.
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
