extension Browser {
    /// What the page learns from `prefers-color-scheme`.
    enum ColorScheme: String, Sendable, CaseIterable {
        case light
        case dark
    }
}
