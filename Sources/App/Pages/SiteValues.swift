import Roost

/// What `Templates/layout.mustache` shows about the visitor, on every page.
struct SiteValues: TemplateData, Encodable, Sendable {
    let signedInAs: String?
    /// Whether nobody is signed in. When the session cannot be read, or was not reached, nobody knows: then a page says
    /// neither.
    let isSignedOut: Bool
    /// What has just been done.
    let flash: [String]

    func write(to slot: TemplateSlot) {
        slot.add("signedInAs", signedInAs)
        slot.add("isSignedOut", isSignedOut)
        slot.add("flash", flash)
    }

    init(signedInAs: String?, isSignedOut: Bool, flash: [String] = []) {
        self.signedInAs = signedInAs
        self.isSignedOut = isSignedOut
        self.flash = flash
    }

    init(_ request: Request) async {
        let flash = request.takeFlash()
        do {
            let name = try await request.signedInAs
            self.init(signedInAs: name, isSignedOut: name == nil, flash: flash)
        } catch {
            self.init(signedInAs: nil, isSignedOut: false, flash: flash)
        }
    }
}
