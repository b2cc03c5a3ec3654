package import PatternCore

/// `Templates/patterns/screen.mustache`: a screen, and which pattern shows it.
package struct FramedScreen<Content: Screen>: Encodable, Sendable {
    let pattern: String
    let chapterURL: String
    let screen: Content

    package init(pattern: Pattern, screen: Content) {
        self.pattern = pattern.name
        chapterURL = pattern.path
        self.screen = screen
    }
}
