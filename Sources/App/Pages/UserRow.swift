import Roost

/// A user in the list of `Templates/users/index.mustache`.
struct UserRow: TemplateData, Sendable {
    let id: Int
    let name: String
    /// Where the picture is; nil without one.
    let pictureURL: String?

    init(_ user: User) {
        id = user.id
        name = user.name
        pictureURL = user.picture.map { _ in PictureController.picture.url(user.id) }
    }

    func write(to slot: TemplateSlot) {
        slot.add("id", id)
        slot.add("name", name)
        slot.add("pictureURL", pictureURL)
    }
}
