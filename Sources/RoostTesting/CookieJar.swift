import Roost

/// The cookies of one client, kept and sent as browsers do (RFC 6265 §5), for a single host.
///
/// A cookie that browsers refuse for its name or its `Domain` is not kept. Otherwise `Secure` is not looked at, since a
/// test may play a client of any scheme, and a `Domain` does not widen what the cookie is sent to. Time is that of the
/// client's own clock in seconds, which stands still unless it is moved.
struct CookieJar {
    private struct Entry {
        let name: String
        let path: String
        var value: String
        /// The time at which it ends; nil for the end of the session.
        var end: Int?
    }

    private var entries: [Entry] = []
    private var passed = 0
    /// The seconds that the application's clock has let pass.
    private var elapsed = 0
    /// The time of that clock in seconds since 1970.
    private var now = 0

    private var time: Int { passed.addingReportingOverflow(elapsed).partialValue }

    /// Lets time pass.
    mutating func pass(_ seconds: Int) { passed = passed.addingReportingOverflow(seconds).partialValue }

    /// Goes by the application's clock.
    mutating func follow(_ time: TimeSource) {
        (elapsed, now) = (time.elapsed.wholeSeconds, time.secondsSince1970())
    }

    /// The value of a cookie, that of the longest path if there are several; nil if there is none.
    func value(_ name: String) -> String? { present.first { $0.name.utf8.elementsEqual(name.utf8) }?.value }

    /// The field of a request for a path with its query: the cookies of longer paths first, then by name; nil without
    /// any (RFC 6265 §5.4).
    func field(for target: String) -> String? {
        let path = Self.path(of: target)
        let pairs = present.filter { Self.matches(path, $0.path) }.map { "\($0.name)=\($0.value)" }
        return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
    }

    /// Takes a `Set-Cookie` field of a host's response to a request (RFC 6265 §5.2, §5.3).
    mutating func take(_ field: String, from target: String, of host: String) {
        let parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(Self.pair)
        guard let first = parts.first, let value = first.value else { return }
        var (givenPath, domain, isSecure) = (nil as String?, "", false)
        var (maximumAge, expires) = (nil as Int?, nil as Int?)
        for (name, value) in parts.dropFirst() {
            switch name.lowercased() {
            case "path": if let value, value.utf8.first == UInt8(ascii: "/") { givenPath = value }
            case "domain": domain = value ?? ""
            case "secure": isSecure = true
            case "max-age": maximumAge = value.flatMap(Self.seconds) ?? maximumAge
            case "expires": expires = value.flatMap(secondsUntil) ?? expires
            default: break
            }
        }
        guard domain.isEmpty || Self.isHost(host, of: domain) else { return }
        guard Self.mayHaveName(first.name, givenPath, isSecure: isSecure, isOfHost: domain.isEmpty) else { return }
        let path = givenPath ?? Self.folder(of: target)
        entries.removeAll { $0.name.utf8.elementsEqual(first.name.utf8) && $0.path.utf8.elementsEqual(path.utf8) }
        let lifetime = maximumAge ?? expires
        if let lifetime, lifetime <= 0 { return }
        let end = lifetime.map { time.addingReportingOverflow($0) }.map { $0.overflow ? Int.max : $0.partialValue }
        entries.append(Entry(name: first.name, path: path, value: value, end: end))
    }

    private var present: [Entry] {
        entries.filter { $0.end.map { time < $0 } ?? true }
            .sorted { ($1.path.utf8.count, $0.name) < ($0.path.utf8.count, $1.name) }
    }

    /// A name and what follows the first `=`, without blanks around them; no value without a `=`.
    private static func pair(_ part: Substring.UTF8View) -> (name: String, value: String?) {
        let text = { (bytes: Substring.UTF8View) in String(Substring(bytes).trimmingBlanks()) }
        guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { return (text(part), nil) }
        return (text(part[..<equals]), text(part[part.index(after: equals)...]))
    }

    /// The seconds of a `Max-Age`; nil for anything but digits after an optional `-`. Too large a number is the
    /// largest.
    private static func seconds(_ text: String) -> Int? {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let digits = isNegative ? text.utf8.dropFirst() : text.utf8[...]
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
        if isNegative { return -1 }
        return Int(text) ?? .max
    }

    /// Returns the number of seconds until a date, negative for one that has passed; nil for any other text.
    private func secondsUntil(_ text: String) -> Int? {
        var text = text
        return text.withUTF8 { HTTPDate.second(of: $0, now: now) }.map { $0 - now }
    }

    /// Whether browsers keep a cookie of this name with these attributes (draft-ietf-httpbis-rfc6265bis §4.1.3).
    private static func mayHaveName(_ name: String, _ path: String?, isSecure: Bool, isOfHost: Bool) -> Bool {
        let name = name.utf8.map(\.lowercased)
        if name.starts(with: "__secure-".utf8) { return isSecure }
        guard name.starts(with: "__host-".utf8) else { return true }
        return isSecure && isOfHost && path?.utf8.elementsEqual("/".utf8) == true
    }

    /// Whether a host, with a port or without, is a cookie's domain or below it (RFC 6265 §5.1.3). Nobody may set a
    /// cookie for all below a name without a dot, such as `com`.
    private static func isHost(_ host: String, of domain: String) -> Bool {
        let dot = UInt8(ascii: ".")
        let host = host.utf8.prefix { $0 != UInt8(ascii: ":") }.map(\.lowercased)
        let domain = domain.utf8.dropFirst(domain.utf8.first == dot ? 1 : 0).map(\.lowercased)
        if host == domain { return true }
        guard domain.contains(dot), host.suffix(domain.count + 1).elementsEqual([dot] + domain) else { return false }
        return IPAddress(String(decoding: host, as: UTF8.self)) == nil
    }

    private static func path(of target: String) -> String {
        String(Substring(target.utf8.prefix { $0 != UInt8(ascii: "?") }))
    }

    /// The path of a cookie that names none: that of the request up to its last slash (RFC 6265 §5.1.4).
    private static func folder(of target: String) -> String {
        let path = path(of: target)
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.utf8.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Whether a request's path is a cookie's path, or below it (RFC 6265 §5.1.4).
    private static func matches(_ path: String, _ cookie: String) -> Bool {
        guard path.utf8.starts(with: cookie.utf8) else { return false }
        let rest = path.utf8.dropFirst(cookie.utf8.count)
        return rest.isEmpty || cookie.utf8.last == UInt8(ascii: "/") || rest.first == UInt8(ascii: "/")
    }
}
