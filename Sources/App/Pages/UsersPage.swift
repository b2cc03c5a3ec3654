import Roost

/// `Templates/users/index.mustache`
struct UsersPage: Encodable, Sendable {
    /// A user in the list.
    struct Row: SelfWriting {
        let id: Int
        let name: String
        /// The URL of the picture; nil without one.
        let pictureURL: String?

        init(_ user: User) {
            id = user.id
            name = user.name
            pictureURL = user.picture.map { _ in PictureController.picture.url(user.id) }
        }

        // There are fifty on a page.
        func write(to fields: inout Fields) {
            fields.add("id", id)
            fields.add("name", name)
            fields.add("pictureURL", pictureURL)
        }
    }

    let users: [Row]
    /// The URL of the event stream of changes, and the id of the last change that the page contains for certain.
    let eventsURL: String
    let lastChange: Int
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
    init(
        _ slice: UserSlice, _ query: UserQuery, _ neighbors: PageURLs, lastChange: Int, _ form: InvalidForm? = nil
    ) {
        users = slice.users.map(Row.init)
        eventsURL = UserController.events.url()
        self.lastChange = lastChange
        hasUsers = !slice.users.isEmpty
        search = query.name.isEmpty ? nil : query.name
        isFirst = query.start == .first
        nextURL = neighbors.next
        previousURL = neighbors.previous
        hasOthers = nextURL != nil || previousURL != nil
        name = TypedText.shown(form?["name"] ?? "", upTo: UserName.maximumBytes)
        error = form.flatMap { $0.message(for: "name") ?? $0.message }
    }
}
