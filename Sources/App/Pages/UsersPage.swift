import Roost

/// `Templates/users/index.mustache`
struct UsersPage: Encodable, Sendable {
    /// A user in the list.
    struct Row: Encodable, Sendable {
        let id: Int
        let name: String
        /// The URL of the picture; nil without one.
        let pictureURL: String?

        init(_ user: User) {
            id = user.id
            name = user.name
            pictureURL = user.picture.map { _ in PictureController.picture.url(user.id) }
        }
    }

    let users: [Row]
    let hasUsers: Bool
    /// The text that is searched for; nil without a search.
    let search: String?
    let isFirst: Bool
    let nextURL: String?
    let previousURL: String?
    let hasOthers: Bool
    /// The content of the form's field.
    let name: String
    /// The message about the form; nil if nothing is wrong with it.
    let error: String?

    /// - Parameter form: The form that was refused.
    init(_ page: UserListPage, _ form: InvalidForm? = nil) {
        users = page.slice.users.map(Row.init)
        hasUsers = !page.slice.users.isEmpty
        search = page.query.name.isEmpty ? nil : page.query.name
        isFirst = page.query.start == .first
        nextURL = page.neighbors.next
        previousURL = page.neighbors.previous
        hasOthers = nextURL != nil || previousURL != nil
        name = TypedText.shown(form?["name"] ?? "", upTo: User.maximumNameBytes)
        error = form.flatMap { $0.message(for: "name") ?? $0.message }
    }
}
