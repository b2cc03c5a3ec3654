import Synchronization

/// The messages that a request brings along, and those that it leaves for the next page; see `Flash`.
final class FlashMessages: Sendable {
    /// The key under which a request carries it.
    enum Key: RequestKey { typealias Value = FlashMessages }

    private let cookies: FlashCookies
    private let isSecure: Bool
    private let messages = Mutex(State())

    private struct State {
        var new: [String] = []
        var isAsked = false
        var hasShown = false
        var isKept = false
    }

    /// The number of bytes, line ends included, of which a cookie that browsers keep can be made.
    static let maximumSize = 2900

    init(_ cookies: FlashCookies, isSecure: Bool) { (self.cookies, self.isSecure) = (cookies, isSecure) }

    /// The cookie that carries the messages, by the scheme of the request.
    var cookie: SignedCookie { isSecure ? cookies.secure : cookies.plain }

    /// The messages for the next page, whether earlier ones have been shown, and whether somebody has asked for them.
    var state: (new: [String], hasShown: Bool, isAsked: Bool) {
        messages.withLock { ($0.new, $0.hasShown, $0.isAsked) }
    }

    /// Leaves a message for the next page.
    func add(_ message: String) {
        // A line end separates messages.
        let line = Self.cut(message.split { $0.isNewline }.joined(separator: " "))
        messages.withLock { $0.new.append(line) }
    }

    /// A message that a cookie can carry: one that is too long ends with an ellipsis, behind a whole character.
    private static func cut(_ line: String) -> String {
        line.utf8.count > maximumSize ? line.prefix(bytes: maximumSize - "…".utf8.count) + "…" : line
    }

    /// Keeps the messages that have come with the request for another page, unless somebody has taken them.
    func keep() { messages.withLock { $0.isKept = true } }

    /// The messages that have come with the request; nil without a cookie.
    func received(in request: Request) -> [String]? {
        cookie.value(in: request)?.split(separator: "\n").map(String.init)
    }

    /// The messages that have come with the request, if nobody has taken them yet.
    func take(from request: Request) -> [String] {
        let received = received(in: request)
        let isFirst = messages.withLock { messages in
            messages.isAsked = true
            guard received != nil, !messages.isKept, !messages.hasShown else { return false }
            messages.hasShown = true
            return true
        }
        return isFirst ? received ?? [] : []
    }
}

/// The cookies over plain HTTP, and over HTTPS: an object, so that a request holds one reference and no copy of both.
final class FlashCookies: Sendable {
    let plain, secure: SignedCookie

    init(key: SigningKey, maxAge: Duration) {
        plain = SignedCookie("flash", key: key, maxAge: maxAge, isHTTPS: false)
        secure = SignedCookie("flash", key: key, maxAge: maxAge, isHTTPS: true)
    }
}

extension Request {
    /// Leaves a message for the next page that the browser shows, usually after a redirect:
    ///
    ///     try request.flash("\(user.name) was added.")
    ///     return .redirect(to: Self.all.url())
    ///
    /// Messages that no page has shown yet are kept, before the new one. Beyond some 2,900 bytes in total, the oldest
    /// are dropped; a single message longer than that is cut, and ends with `…`.
    /// - Throws: An error when no `Flash` middleware is around the route.
    public func flash(_ message: String) throws {
        guard let messages = self[FlashMessages.Key.self] else { throw NoFlash() }
        messages.add(message)
    }

    /// Returns the messages for this page, and forgets them; empty if there are none, or no `Flash` middleware.
    public func takeFlash() -> [String] { self[FlashMessages.Key.self]?.take(from: self) ?? [] }
}

/// The error of a handler that leaves a message on a route without `Flash`.
struct NoFlash: Error, CustomStringConvertible {
    /// A sentence that says what to do about it.
    var description: String {
        "No messages are carried from this route: add Flash(key: …) to the middleware of the application or of its "
            + "group."
    }
}
