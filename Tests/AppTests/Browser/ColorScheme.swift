extension Browser {
    /// The color scheme that the page learns from `prefers-color-scheme`.
    enum ColorScheme: String, Sendable, CaseIterable {
        case light
        case dark
    }
}
