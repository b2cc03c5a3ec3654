/// The kind of a step on the way of a request.
package enum StepKind: String, Sendable {
    /// A request: the whole way, which only a tracer sees as a step.
    case request
    /// A middleware of the application, with all that is inside it.
    case middleware
    /// The routes behind the application's middleware: those of groups, and the handler.
    case handler
    /// A statement of SQL.
    case statement
    /// A template that was rendered.
    case template
    /// A request to another server.
    case outgoing
    /// A job that was added.
    case job
    /// A job that runs.
    case run
    /// A mail that was written.
    case mail
    /// A line of the log.
    case log
}
