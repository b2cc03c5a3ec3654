/// A store of sessions in the browsers' cookies, signed: for any number of instances that share a key, without a
/// database.
///
///     Sessions(CookieSessionStore(key: key), isHTTPS: true)
///
/// The visitor can read the values, but not change them. They may take about 2,500 bytes of ASCII letters, or 800 of
/// other text; a response that would set more becomes a 500. If requests overlap, the last response replaces all
/// values. Signing out removes the cookie from the browser, but nothing ends the session on the server: an old cookie
/// is valid until it expires, and an event stream or a WebSocket that was opened with one may go on until the session's
/// lifetime is over. So RoostAuth, which must be able to end sessions, does not accept this store.
public struct CookieSessionStore: SessionStore {
    private let key: SigningKey
    /// The times in seconds, like those in the cookie.
    private let idleTimeout, lifetime: Int
    /// The maximum error of the time of the last use, in seconds: to set a cookie with every response would be too
    /// much.
    private let precision: Int
    private let time = TimeSource.current
    /// The purpose that the cookies are signed for, so that none is accepted under another name.
    private var purpose = "session"

    /// The largest cookie that browsers keep, in bytes (RFC 6265bis §5.6).
    private static let maximumSize = 4096

    /// Creates a store whose cookies are signed with a key.
    /// - Parameters:
    ///   - idleTimeout: The maximum time for which a session may go unused; accurate to a minute, or to half of this
    ///     time if that is less.
    ///   - lifetime: The maximum time from a session's beginning to its end.
    public init(
        key: SigningKey,
        idleTimeout: Duration = .seconds(30 * 60),
        lifetime: Duration = .seconds(8 * 60 * 60)
    ) {
        self.key = key
        self.idleTimeout = idleTimeout.wholeSeconds
        precision = min(60, self.idleTimeout / 2)
        self.lifetime = lifetime.wholeSeconds
    }

    /// The content of a cookie: `BEGUN USED VALUES`, the values as a form.
    private struct Content {
        let begun, used: Int
        let values: [String: String]

        static func read(_ text: String) -> Content? {
            let parts = text.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, let begun = Int(Substring(parts[0])), let used = Int(Substring(parts[1])) else {
                return nil
            }
            let form = Array(parts[2]).withUnsafeBufferPointer { Form(urlEncoded: $0) }
            let values = Dictionary(form.fields.map { ($0.name, $0.value) }) { first, _ in first }
            return Content(begun: begun, used: used, values: values)
        }

        var text: String {
            "\(begun) \(used) \(Form(values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }).urlEncoded)"
        }
    }

    private func content(_ token: String) -> Content? {
        guard let content = key.text(in: token, for: purpose).flatMap(Content.read) else { return nil }
        let now = time.secondsSince1970()
        guard now - content.used < idleTimeout, now - content.begun < lifetime else { return nil }
        // The clock may have been ahead when it began: then it counts as begun now.
        return Content(begun: min(content.begun, now), used: content.used, values: content.values)
    }

    /// Returns the values in a cookie; nil when they are not signed with the key, or have expired.
    public func values(for token: String) -> [String: String]? { content(token)?.values }

    /// Returns whether the session of a cookie may still exist. The browser may have a newer cookie for it, so the time
    /// of last use in this one is not checked.
    public func isAlive(_ token: String) -> Bool {
        guard let content = key.text(in: token, for: purpose).flatMap(Content.read) else { return false }
        return time.secondsSince1970() - content.begun < lifetime
    }

    /// Does nothing: the browser keeps the values.
    public func save(_ values: [String: String], for token: String) {}
    /// Does nothing: the browser keeps the values.
    public func update(_ values: [String: String], for token: String) {}
    /// Does nothing: the browser keeps the values.
    public func change(_ changes: [String: String?], for token: String) {}
    /// Returns the values in a valid cookie, with some changes: the browser keeps them.
    public func replace(
        _ token: String, with newToken: String, _ changes: [String: String?]
    ) -> [String: String]? {
        guard var values = values(for: token) else { return nil }
        values.merge(changes)
        return values
    }
    /// Does nothing: the browser forgets the values.
    public func remove(_ token: String) {}

    /// Returns the values, signed, with the times at which the session began and was last used.
    public func cookieValue(of values: [String: String], for token: String) -> String {
        let now = time.secondsSince1970()
        let old = content(token)
        if let old, old.used <= now, now - old.used < precision {
            // The bytes decide, not what Unicode takes for equal.
            let unchanged = Content(begun: old.begun, used: old.used, values: values)
            if unchanged.text.utf8.elementsEqual(old.text.utf8) { return token }
        }
        return key.sign(Content(begun: old?.begun ?? now, used: now, values: values).text, for: purpose)
    }

    /// Returns the store whose cookies are accepted under this name alone.
    public func forCookie(_ name: String) -> CookieSessionStore {
        var store = self
        store.purpose = name == "session" ? name : "session \(name)"
        return store
    }

    /// Returns whether a text could be a cookie of this store.
    public func isToken(_ text: String) -> Bool {
        text.utf8.count <= Self.maximumSize && text.utf8.contains(UInt8(ascii: "."))
    }
}
