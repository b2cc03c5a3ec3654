import Roost

/// The settings of certificates that a program orders itself (ACME, RFC 8555), with `TLS=auto`.
public struct ACMESettings: Sendable, Equatable {
    /// The names that the certificate is for (`HOST_NAMES`, with commas). All of them must lead to this program.
    public var hosts: [String]
    /// The URL of the authority's directory (`ACME_DIRECTORY`): by default, that of Let's Encrypt.
    public var directory = ACMESettings.standard
    /// An address to which the authority may write (`ACME_EMAIL`); nil for none.
    public var email: String?
    /// A PEM file with the authority to trust for the directory's own certificate, instead of the system's (`ACME_CA`),
    /// such as a company's or a test's.
    public var authority: String?
    /// The folder for accounts and certificates: `acme` in `DATA_DIR`.
    public var folder = ".data/acme"

    /// The directory of Let's Encrypt.
    public static let standard = "https://acme-v02.api.letsencrypt.org/directory"
    /// Let's Encrypt's directory for testing (`ACME_DIRECTORY=staging`): browsers do not trust its certificates, and
    /// its limits are hard to reach.
    public static let staging = "https://acme-staging-v02.api.letsencrypt.org/directory"

    /// Certificates for some names.
    public init(hosts: [String]) { self.hosts = hosts }

    init(reading reader: inout SettingsReader) {
        hosts = reader.read(Setting<[String]>("HOST_NAMES")).map { $0.lowercased() }
            .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        directory = reader.read(Self.directorySetting)
        email = reader.read(Setting<String?>("ACME_EMAIL"))
        authority = reader.read(Setting<String?>("ACME_CA"))
        let data = reader.variables["DATA_DIR"].flatMap { $0.isEmpty ? nil : $0 } ?? ".data"
        folder = data + "/acme"
    }

    private static let directorySetting = Setting<String>(
        "ACME_DIRECTORY", default: standard, expectation: "a URL with https://, or staging",
        read: { $0 == "staging" ? staging : $0.utf8.starts(with: "https://".utf8) ? $0 : nil })

    /// Notes what keeps certificates from being ordered.
    func check(_ reader: inout SettingsReader) {
        if hosts.isEmpty {
            reader.addError("TLS=auto needs the site's names: set HOST_NAMES, as in HOST_NAMES=example.com.")
        }
        if hosts.count > 100 { reader.addError("HOST_NAMES has more than the 100 names of a certificate.") }
        for host in hosts where !Self.isName(host) {
            let advice =
                host.utf8.first == UInt8(ascii: "*")
                ? "list the names one by one, because this program cannot prove that all names below one are yours."
                : IPAddress(host) != nil
                    ? "certificates are for names, not for addresses."
                    : "write names like example.com, without a scheme or a port, and others than ASCII as xn--…"
            reader.addError("HOST_NAMES has \"\(LogText.escaped(host))\": \(advice)")
        }
        if let email, !email.utf8.contains(UInt8(ascii: "@")) || email.utf8.contains(where: { $0 <= 0x20 }) {
            reader.addError("ACME_EMAIL is not an address like webmaster@example.com.")
        }
    }

    /// Whether a text is the name of a host, in ASCII (RFC 1123 §2.1).
    private static func isName(_ text: String) -> Bool {
        guard (1...253).contains(text.utf8.count), IPAddress(text) == nil else { return false }
        return text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy(\.isHostLabel)
    }

    /// A name for the directory, with which those of its texts begin: what is of one is of no use at another.
    var directoryName: String {
        switch directory {
        case Self.standard: return "letsencrypt"
        case Self.staging: return "letsencrypt-staging"
        default:
            let host = directory.utf8.dropFirst("https://".utf8.count).prefix { $0 != UInt8(ascii: "/") }
            let readable = host.map { $0 == UInt8(ascii: ".") || ChallengeToken.isLetter($0) ? $0 : UInt8(ascii: "-") }
            let hash = SHA256.hexadecimal(of: directory.utf8).prefix(8)
            return "ca-\(String(decoding: readable.prefix(80), as: UTF8.self))-\(hash)"
        }
    }
}
