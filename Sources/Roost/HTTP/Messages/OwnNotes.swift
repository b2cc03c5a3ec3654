/// The notes of one request. Once its connection has begun another, they are empty, and writing them does nothing.
struct OwnNotes {
    let notes: RequestNotes
    let number: UInt64

    private var isCurrent: Bool { notes.number == number }

    /// The route that the request has been matched with.
    var route: RoutePattern? {
        get { isCurrent ? notes.route : nil }
        nonmutating set { if isCurrent { notes.route = newValue } }
    }

    /// The error that nobody expected, if there was one.
    var error: String? {
        get { notes.details(of: number)?.error }
        nonmutating set { notes.change(number) { $0.error = newValue } }
    }

    /// The account that the request acts for.
    var accountID: Int? {
        get { notes.details(of: number)?.accountID }
        nonmutating set { notes.change(number) { $0.accountID = newValue } }
    }

    /// The content that the client has already, where the response is 304.
    var unsent: RequestNotes.Unsent? {
        get { notes.details(of: number)?.unsent }
        nonmutating set { notes.change(number) { $0.unsent = newValue } }
    }
}
