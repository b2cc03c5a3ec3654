import Roost

/// `Templates/users/index.mustache`
struct UsersPage: TemplateData, Sendable {
    let users: [User]
    /// Where the page hears of changes, and the last one that it may know.
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
    /// What is wrong with it.
    let error: String?

    /// - Parameter form: The form that was refused.
    init(
        _ slice: UserSlice, _ query: UserQuery, _ neighbors: PageURLs, lastChange: Int, _ form: InvalidForm? = nil
    ) {
        users = slice.users
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

    func write(to slot: TemplateSlot) {
        slot.add("users", users)
        slot.add("eventsURL", eventsURL)
        slot.add("lastChange", lastChange)
        slot.add("hasUsers", hasUsers)
        slot.add("search", search)
        slot.add("isFirst", isFirst)
        slot.add("nextURL", nextURL)
        slot.add("previousURL", previousURL)
        slot.add("hasOthers", hasOthers)
        slot.add("name", name)
        slot.add("error", error)
    }
}
