import Roost
import RoostAuth

/// The values that `Templates/layout.mustache` shows on every page: about the visitor, and about the site.
struct SiteValues: Encodable, Sendable {
    var signedInAs: String?
    /// Whether nobody is signed in. When the session cannot be read, or was not reached, nobody knows: then a page says
    /// neither.
    var isSignedOut: Bool
    /// Whether the site has the gallery of patterns.
    var hasPatterns = true
    /// The messages about what has just been done.
    var flash: [String] = []
}

extension SiteValues {
    init(_ request: Request, hasPatterns: Bool = true) async {
        self.init(signedInAs: nil, isSignedOut: false, hasPatterns: hasPatterns, flash: request.takeFlash())
        do {
            signedInAs = try await request.currentUser?.email
            isSignedOut = signedInAs == nil
        } catch {}
    }
}
