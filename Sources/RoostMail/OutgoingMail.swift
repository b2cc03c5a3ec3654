import FoundationEssentials
import Roost

/// A mail that has been rendered and checked: the form in which it waits in the queue, and in which a test or the pages
/// of development see it.
public struct OutgoingMail: Sendable, Codable, Equatable {
    /// The value of `Message-ID`, with its angle brackets; the same however often it is sent.
    public let id: String
    /// The time at which it is due, in seconds since 1970.
    let time: Int
    /// The sender.
    public let from: MailAddress
    /// The recipients that everybody sees.
    public let to, cc: [MailAddress]
    /// The address for answers, if it is not the sender's.
    public let replyTo: MailAddress?
    /// The subject.
    public let subject: String
    /// The text.
    public let text: String
    /// The HTML version, if there is one.
    public let html: String?
    /// The URL at which a recipient ends further mails of this kind.
    public let unsubscribeURL: String?
    let fields: [Field]
    let attachments: [Attachment]
    /// The addresses that it goes to, hidden ones included.
    public internal(set) var recipients: [String]

    /// The names of the files that are sent with it.
    var attachmentNames: [String] { attachments.map(\.name) }

    struct Field: Sendable, Codable, Equatable {
        let name, value: String
    }

    struct Attachment: Sendable, Codable, Equatable {
        let name, type, base64: String
    }

    /// Renders and checks a mail.
    /// - Parameter sender: The sender of a mail that has none.
    /// - Throws: ``MailError``; a `TemplateError`.
    init(_ mail: Mail, from sender: MailAddress, _ templates: Templates?, at date: Date) throws {
        from = (mail.from ?? sender).printable
        (to, cc) = (mail.to.map(\.printable), mail.cc.map(\.printable))
        (replyTo, subject) = (mail.replyTo?.printable, MIMEText.printable(mail.translatedSubject))
        let all = mail.to + mail.cc + mail.bcc
        for address in all + [from] + [mail.replyTo].compactMap(\.self) { try address.check() }
        guard !all.isEmpty else { throw MailError.noRecipient }
        guard all.count <= Mailer.maximumRecipients else { throw MailError.tooManyRecipients(all.count) }
        var seen: Set<String> = []
        recipients = all.map(\.address).filter { seen.insert($0).inserted }
        unsubscribeURL = try mail.unsubscribeURL.map(Self.checked)
        fields = try mail.headers.list.map { try Self.field($0.name.rawName, $0.value) }
        attachments = try mail.attachments.map(Self.attachment)
        (text, html) = try mail.rendered(by: templates)
        id = "<\(MailMessage.token())@\(from.domain)>"
        // The last second that a date can show.
        time = Int(min(date.timeIntervalSince1970, 253_402_300_799))
        let size = MailMessage(self).text.utf8.count
        guard size <= Mailer.maximumSize else { throw MailError.tooLarge(size) }
    }

    /// Checks again the addresses, the id and the fields, which go to the server as they are: another program may have
    /// written the mail into the queue.
    func check() throws(MailError) {
        for address in [from] + to + cc + [replyTo].compactMap(\.self) { try address.check() }
        guard id.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .invalidField("Message-ID") }
        if let unsubscribeURL { _ = try Self.checked(unsubscribeURL: unsubscribeURL) }
        for field in fields {
            guard field.name.isToken else { throw .invalidField(field.name) }
            _ = try Self.field(field.name, field.value)
        }
    }

    private static func attachment(_ file: Mail.Attachment) throws(MailError) -> Attachment {
        guard file.type.type.isToken, file.type.subtype.isToken else { throw .invalidField("Content-Type") }
        var type = "\(file.type.type)/\(file.type.subtype)"
        for (name, value) in file.type.parameters.sorted(by: { $0.key < $1.key }) {
            let line = " \(name)=\(MIMEText.quoted(value))"
            guard line.utf8.count <= 900, line.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
                throw .invalidField("Content-Type")
            }
            type += ";\r\n" + line
        }
        return Attachment(name: MIMEText.printable(file.name), type: type, base64: Base64.standard.text(file.bytes))
    }

    private static let ownFields: Set<String> = [
        "from", "sender", "date", "message-id", "subject", "to", "cc", "bcc", "reply-to", "mime-version", "return-path",
        "list-unsubscribe", "list-unsubscribe-post",
    ]

    private static func field(_ name: String, _ value: String) throws(MailError) -> Field {
        let isOwn = ownFields.contains(name.lowercased()) || name.lowercased().hasPrefix("content-")
        guard !isOwn, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .invalidField(name) }
        return Field(name: name, value: value)
    }

    /// A URL that may stand in angle brackets, on one line (RFC 5322 §2.1.1).
    private static func checked(unsubscribeURL url: String) throws(MailError) -> String {
        guard url.utf8.count <= 900, url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3C && $0 != 0x3E }) else {
            throw .invalidField("List-Unsubscribe")
        }
        return url
    }
}

extension MailAddress {
    /// The address with a space for each control character of its name.
    fileprivate var printable: MailAddress { MailAddress(address, name: name.map(MIMEText.printable)) }
}

extension Mail {
    /// Its subject in the receiver's language.
    fileprivate var translatedSubject: String {
        guard case .views = content else { return subject }
        return messages?.text(subject) ?? subject
    }

    /// Its text and its HTML version.
    fileprivate func rendered(by templates: Templates?) throws -> (text: String, html: String?) {
        switch content {
        case .text(let text, let html): return (text, html)
        case .views(let name, let text, let html):
            guard let templates else { throw MailError.noTemplates(name) }
            let show = { (view: View) in
                String(decoding: try view.rendered(by: templates, in: messages), as: UTF8.self)
            }
            return (try show(text), templates.contains(html.template) ? try show(html) : nil)
        }
    }
}
