public import Roost

/// An address that mail is sent to or from, with or without a display name.
///
///     let ada: MailAddress = "Ada Lovelace <ada@example.org>"
///     let user = MailAddress(user.email, name: user.name)
///
/// A literal may have a name before the address in angle brackets. ``init(_:name:)`` takes its text as it is, so what a
/// user has typed cannot become a name and another address.
public struct MailAddress: Sendable, Hashable, Codable, ExpressibleByStringLiteral {
    /// The address itself: `ada@example.org`.
    public let address: String
    /// The name to show; any text.
    public let name: String?

    /// Creates an address, which is checked only when a mail is sent with it: a text that is not an address then throws
    /// ``MailError/invalidAddress(_:)``.
    public init(_ address: String, name: String? = nil) {
        self.address = address
        self.name = name
    }

    /// Creates an address from `ada@example.org` or `Ada Lovelace <ada@example.org>`, the forms used in settings.
    public init(parsing text: String) {
        guard text.utf8.last == UInt8(ascii: ">"), let open = text.utf8.lastIndex(of: UInt8(ascii: "<")) else {
            self.init(text)
            return
        }
        let name = Substring(text.utf8[..<open]).trimmingBlanks()
        let unquoted = name.utf8.count > 1 && name.hasPrefix("\"") && name.hasSuffix("\"")
        let address = text.utf8[text.utf8.index(after: open)...].dropLast()
        self.init(
            String(Substring(address)), name: name.isEmpty ? nil : String(unquoted ? name.dropFirst().dropLast() : name)
        )
    }

    /// Creates an address from the form that ``init(parsing:)`` accepts.
    public init(stringLiteral text: String) { self.init(parsing: text) }

    /// - Throws: ``MailError/invalidAddress(_:)``.
    func check() throws(MailError) {
        guard EmailGrammar.isValid(address) else { throw .invalidAddress(address) }
    }

    /// The address, behind the name if there is one: the form that ``init(parsing:)`` takes.
    var text: String { name.map { "\($0) <\(address)>" } ?? address }

    /// The domain of a valid address.
    var domain: String {
        address.utf8.lastIndex(of: UInt8(ascii: "@")).map { String(address[address.utf8.index(after: $0)...]) } ?? ""
    }
}

extension Setting<MailAddress> {
    /// An email address, alone or in angle brackets behind a name.
    public init(_ name: String, default value: MailAddress) {
        self.init(
            name, default: value, expectation: "an email address, as in Nest <nest@example.org>",
            write: \.text
        ) { text in
            let address = MailAddress(parsing: text)
            return (try? address.check()) == nil ? nil : address
        }
    }
}
