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
            pictureURL = PictureController.url(of: user)
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
    /// The form to add a user; nil for those who may not.
    let fields: FieldSet?

    /// - Parameters:
    ///   - isMember: Whether the visitor may add a user.
    ///   - form: The form that was refused.
    init(_ page: Page<User>, _ query: UserQuery, isMember: Bool, _ form: InvalidForm? = nil) {
        users = page.rows.map(Row.init)
        hasUsers = !page.rows.isEmpty
        search = query.name.isEmpty ? nil : query.name
        isFirst = query.page.start == .first
        nextURL = page.links.next
        previousURL = page.links.previous
        hasOthers = !page.links.isEmpty
        fields = isMember ? form.map(User.fields.typed) ?? User.fields : nil
    }
}

/// `Templates/users/show.mustache`
struct UserPage: Encodable, Sendable {
    let user: User.Summary
    /// The version that the forms change.
    let version: Int
    let fields: FieldSet
    /// The URL of the picture; nil without one.
    let pictureURL: String?
    /// The message that says why a picture was refused.
    let pictureError: String?

    /// - Parameters:
    ///   - renaming: The form for the name that was refused, or the one to remove the user.
    ///   - picture: The form for the picture that was refused. It has no field to show a message beside when it is too
    ///     large as a whole.
    init(_ user: User, renaming: InvalidForm? = nil, picture: InvalidForm? = nil) {
        let stored = User.fields.filled("name", with: user.name)
        self.user = user.summary
        version = user.version
        fields = renaming.map(stored.typed) ?? stored
        pictureURL = PictureController.url(of: user)
        pictureError = picture.flatMap { $0.message(for: "picture") ?? $0.message }
    }
}

extension User {
    /// The form to add a user, and to give one another name.
    static let fields = FieldSet(
        .text("name", "Name", length: maximumNameLength, bytes: maximumNameBytes, ["autocomplete": "off"]))
}
