internal import CCurl
public import Roost

/// The mail server that takes a program's mail (RFC 6409), as `SMTP_URL` names it:
///
///     smtps://user:password@mail.example.org         TLS from the beginning; port 465
///     smtp://user:password@mail.example.org          TLS by STARTTLS, which the server must have; port 587
///     smtp://localhost:25                            this machine: with TLS only if the server has it
///
/// A path is the name with which the program greets the server (`smtps://user:password@host/app.example.org`). Without
/// one that is the machine's name, or, where that has no domain, the domain of the sender.
///
/// Characters in the user or the password that a URL does not allow are percent-encoded (`@` is `%40`, `/` is `%2F`).
public struct SMTPServer: Sendable, Equatable, CustomStringConvertible {
    let user, password: String?
    /// The host name or address.
    package let host: String
    /// The port.
    package let port: Int
    /// The name with which the program greets the server, if the URL has one.
    let ownName: String?
    /// Whether TLS begins with the connection.
    let isTLS: Bool
    /// Whether it is this machine, to which nobody listens in on the way.
    var isLoopback: Bool

    /// Creates a server from a URL, `smtps://user:password@host:port`.
    /// - Throws: `StartError` for a text that is no such URL. It does not repeat the password.
    public init(url text: String) throws(StartError) {
        let url = curl_url()
        defer { curl_url_cleanup(url) }
        let isURL = curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK
        let part = { (part: CURLUPart, flags: Int32) in Self.part(url, part, UInt32(flags)) }
        let scheme = part(CURLUPART_SCHEME, 0)
        let name = String(Substring((part(CURLUPART_PATH, 0) ?? "/").utf8.dropFirst()))
        let hasMore =
            !name.isEmpty && !Self.isFull(name) || part(CURLUPART_QUERY, 0) != nil
            || part(CURLUPART_FRAGMENT, 0) != nil
        guard isURL, scheme == "smtp" || scheme == "smtps", let host = part(CURLUPART_HOST, 0), !host.isEmpty, !hasMore
        else {
            throw .configuration(
                "SMTP_URL is no URL of a mail server; set it to smtps://USER:PASSWORD@HOST, with %2F for / in the "
                    + "password, or to smtp://localhost:25.")
        }
        let (user, password) = (part(CURLUPART_USER, CURLU_URLDECODE), part(CURLUPART_PASSWORD, CURLU_URLDECODE))
        guard (user == nil) == (password == nil) else {
            throw .configuration("SMTP_URL has a user or a password only; set it to smtps://USER:PASSWORD@HOST.")
        }
        (self.user, self.password, self.host) = (user, password, host)
        ownName = name.isEmpty ? nil : name
        isTLS = scheme == "smtps"
        port = part(CURLUPART_PORT, 0).flatMap { Int($0) } ?? (isTLS ? 465 : 587)
        isLoopback =
            host == "localhost" || (IPAddress(host.filter { $0 != "[" && $0 != "]" })?.isLoopback ?? false)
    }

    /// The server of `SMTP_URL`; nil when that is not set.
    /// - Throws: `StartError` as ``init(url:)``.
    public init?(environment variables: [String: String]) throws(StartError) {
        guard let text = variables["SMTP_URL"], !text.isEmpty else { return nil }
        try self.init(url: text)
    }

    /// The name with which the program on a machine greets the server (`EHLO`, RFC 5321 §4.1.1.1), for mail from a
    /// domain. Many servers refuse one that has no domain, such as a container's.
    func name(of machine: String, for domain: String) -> String {
        ownName ?? (Self.isFull(machine) ? machine : domain)
    }

    /// Whether a text is a host name with a domain.
    private static func isFull(_ name: String) -> Bool {
        name.utf8.contains(UInt8(ascii: ".")) && EmailGrammar.isValid("postmaster@\(name)")
    }

    /// A part of a URL, as libcurl reads it; nil for one that it does not have.
    private static func part(_ url: OpaquePointer?, _ part: CURLUPart, _ flags: UInt32) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    /// The URL without user and password.
    public var description: String { "\(isTLS ? "smtps" : "smtp")://\(host):\(port)" }
}
