/// The treatment of a name that a template asks for and the page does not have.
public enum MissingNames: Sendable {
    /// It is a ``TemplateError``. So is a partial, parent or block that does not exist, and a list or an object that is
    /// shown as text: nothing fails silently.
    case error
    /// It is empty, as in the Mustache specification. So is whatever else is an error otherwise.
    case empty
}
