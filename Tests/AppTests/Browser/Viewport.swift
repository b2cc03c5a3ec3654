extension Browser {
    /// The size of the page's window in CSS pixels.
    struct Viewport: Sendable, Hashable {
        var width: Int
        var height: Int
        /// Pixels of a screenshot for one CSS pixel.
        var scale = 1
        /// Whether the page is laid out as on a phone, by its `<meta name="viewport">`.
        var isMobile = false

        static let desktop = Viewport(width: 1_280, height: 800)
        /// The narrowest window that pages are made for (WCAG 2.2, 1.4.10).
        static let smallPhone = Viewport(width: 320, height: 568, scale: 2, isMobile: true)
        static let phone = Viewport(width: 390, height: 844, scale: 2, isMobile: true)
    }
}
