import Testing

extension Trait where Self == ConditionTrait {
    /// Skips a suite where there is no browser.
    static var needsBrowser: Self {
        .enabled(if: Browser.isInstalled, "chromedriver or chromium is not installed: scripts/test --all installs them")
    }
}
