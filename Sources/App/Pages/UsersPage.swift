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
    /// The message about the whole form; nil if nothing is wrong with it.
    let error: String?
    let failed: Bool

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
        error = form?.message
        failed = form != nil
    }
}
