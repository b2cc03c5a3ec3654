/// The cookies that carry messages, shared by all requests.
final class FlashCookies: Sendable {
    /// Over plain HTTP, and over HTTPS.
    private let plain, secure: SignedCookie
    private let isHTTPS: Bool

    init(plain: SignedCookie, secure: SignedCookie, isHTTPS: Bool) {
        self.plain = plain
        self.secure = secure
        self.isHTTPS = isHTTPS
    }

    /// The one for the scheme of a request.
    func cookie(for request: Request) -> SignedCookie { request.isHTTPS(orElse: isHTTPS) ? secure : plain }
}
