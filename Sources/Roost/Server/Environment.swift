/// Where the application runs (`ROOST_ENV`).
public enum Environment: String, Sendable, CaseIterable {
    /// On its author's machine: errors are explained, templates are live, there is a demo account. The default.
    case development
    /// For the public: none of these.
    case production
}
