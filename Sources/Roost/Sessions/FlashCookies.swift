/// The cookies that carry messages, shared by all requests.
final class FlashCookies: Sendable {
    /// Over plain HTTP, unless the whole site is reached over HTTPS, and over HTTPS.
    private let plain, secure: SignedCookie

    init(plain: SignedCookie, secure: SignedCookie) {
        self.plain = plain
        self.secure = secure
    }

    /// The one for the scheme of a request.
    func cookie(for request: Request) -> SignedCookie { request.isHTTPS ? secure : plain }
}
