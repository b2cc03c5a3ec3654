/// What happens when a template asks for a name that the page does not have.
public enum MissingNames: Sendable {
    /// It is a ``TemplateError``, and so is a partial that does not exist: nothing fails silently.
    case error
    /// It is empty, as the Mustache specification has it.
    case empty
}
