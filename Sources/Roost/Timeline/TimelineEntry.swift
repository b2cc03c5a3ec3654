/// A step on the way of a request, when it is over.
package struct TimelineEntry: Sendable {
    /// The kind of the step.
    package let kind: StepKind
    /// The text of the step: a statement, the name of a template, a line of the log.
    package let text: String
    /// The time from the begin of the request to the begin of the step.
    package let start: Duration
    /// The time that the step took.
    package let duration: Duration
    /// The parts that are not shown at first, such as the values of a statement.
    package var details: [String] = []
    /// The number of rows that a statement gave; nil for any other step.
    package var rows: Int?
    /// The error with which the step ended.
    package var error: String?
    /// Asks the engine for the plan of a statement; nil where that is not possible.
    package var plan: (@Sendable () async throws -> [String])?

    /// The bytes that ``plan`` keeps.
    package var kept = 0

    /// The bytes that count towards the limit of a request.
    var size: Int { details.reduce(100 + kept + text.utf8.count + (error?.utf8.count ?? 0)) { $0 + $1.utf8.count } }
}

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
