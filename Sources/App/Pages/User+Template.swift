import Roost

/// A user in the list of `Templates/users/index.mustache`.
extension User: TemplateData {
    func write(to slot: TemplateSlot) {
        slot.add("id", id)
        slot.add("name", name)
        slot.add("pictureURL", pictureURL)
    }

    /// Where the picture is; nil without one.
    private var pictureURL: String? { picture.map { _ in PictureController.picture.url(id) } }
}
