import Roost

/// What `Templates/layout.mustache` shows about the visitor, on every page.
struct SiteValues: Encodable, Sendable {
    let signedInAs: String?
    /// Whether nobody is signed in. When the session cannot be read, or was not reached, nobody knows: then a page says
    /// neither.
    let isSignedOut: Bool

    init(signedInAs: String?, isSignedOut: Bool) {
        self.signedInAs = signedInAs
        self.isSignedOut = isSignedOut
    }

    init(_ request: Request) async {
        do {
            let name = try await request.signedInAs
            self.init(signedInAs: name, isSignedOut: name == nil)
        } catch {
            self.init(signedInAs: nil, isSignedOut: false)
        }
    }
}
