public import Roost

/// An address that mail goes to or comes from, with a name to show or without one.
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

    /// An address that is looked at when a mail is made of it: a text that is no address throws
    /// ``MailError/invalidAddress(_:)`` then.
    public init(_ address: String, name: String? = nil) {
        self.address = address
        self.name = name
    }

    /// An address of the form `ada@example.org` or `Ada Lovelace <ada@example.org>`, as settings have it.
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

    /// An address of the form that ``init(parsing:)`` takes.
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
