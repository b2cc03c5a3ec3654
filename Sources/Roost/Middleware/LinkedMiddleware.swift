/// Middleware that may wait, but seldom does: it makes its own link of the chain, so that most requests cost no task.
protocol LinkedMiddleware: Middleware {
    /// The middleware and what follows it.
    func link(to next: any Responder) -> any Responder
}
