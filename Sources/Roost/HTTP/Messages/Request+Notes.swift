extension Request {
    /// The pattern of the route that handles the request, `/users/{id}`: also in middleware around the route, once it
    /// has responded. nil before the router has seen the request, and when no route fits.
    public var route: String? { notes.route.flatMap { $0 === RoutePattern.uncounted ? nil : $0.text } }

    /// Has the log say for which account the request acts (`account_id`). `RoostAuth` does so by itself.
    public func log(accountID: Int) { notes.accountID = accountID }
}
