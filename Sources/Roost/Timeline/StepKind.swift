/// The kind of a step on the way of a request.
package enum StepKind: String, Sendable {
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
    /// A mail that was written.
    case mail
    /// A line of the log.
    case log
}
