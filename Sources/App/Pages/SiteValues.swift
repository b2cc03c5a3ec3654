import Roost

/// The values that `Templates/layout.mustache` shows on every page: about the visitor, and about the site.
struct SiteValues: Encodable, Sendable {
    let signedInAs: String?
    /// Whether nobody is signed in. When the session cannot be read, or was not reached, nobody knows: then a page says
    /// neither.
    let isSignedOut: Bool
    /// Whether the site has the gallery of patterns.
    let hasPatterns: Bool
    /// The messages about what has just been done.
    let flash: [String]

    init(signedInAs: String?, isSignedOut: Bool, hasPatterns: Bool = true, flash: [String] = []) {
        self.signedInAs = signedInAs
        self.isSignedOut = isSignedOut
        self.hasPatterns = hasPatterns
        self.flash = flash
    }

    init(_ request: Request, hasPatterns: Bool = true) async {
        let flash = request.takeFlash()
        do {
            let name = try await request.signedInAs
            self.init(signedInAs: name, isSignedOut: name == nil, hasPatterns: hasPatterns, flash: flash)
        } catch {
            self.init(signedInAs: nil, isSignedOut: false, hasPatterns: hasPatterns, flash: flash)
        }
    }
}
