import Roost

// A message (RFC 5322) is header fields, an empty line and a body; MIME (RFC 2045, 2046) makes the body a tree:
//
//     multipart/mixed            if there are attachments
//     ├── multipart/alternative  if there is an HTML version
//     │   ├── text/plain         the version to show if no other can be shown comes first
//     │   └── text/html
//     └── application/pdf …
//
// All of it is ASCII in lines of at most 76 characters, so any mail server takes it unchanged.

/// The message of a mail as it goes over the wire: ASCII, in lines that end with CRLF.
struct MailMessage {
    let text: String

    init(_ mail: OutgoingMail) {
        text = Self.fields(mail) + "MIME-Version: 1.0\r\n" + Self.body(mail.text, mail.html, mail.attachments)
    }

    /// A text that nobody can guess.
    static func token() -> String { Base64.url.text((0..<18).map { _ in UInt8.random(in: 0...255) }) }

    // MARK: Header fields

    private static func fields(_ mail: OutgoingMail) -> String {
        var lines = [
            MIMEText.field("From", addresses: [mail.from]),
            "Date: \(HTTPDate.string(mail.time).dropLast(3))+0000",
            "Message-ID: \(mail.id)",
            MIMEText.field("Subject", mail.subject),
        ]
        if !mail.to.isEmpty { lines.append(MIMEText.field("To", addresses: mail.to)) }
        if !mail.cc.isEmpty { lines.append(MIMEText.field("Cc", addresses: mail.cc)) }
        // A message without any recipient in it looks like junk (RFC 5322 §3.4 has this empty group for it).
        if mail.to.isEmpty, mail.cc.isEmpty { lines.append("To: undisclosed-recipients:;") }
        if let replyTo = mail.replyTo { lines.append(MIMEText.field("Reply-To", addresses: [replyTo])) }
        if let url = mail.unsubscribeURL {
            lines.append("List-Unsubscribe: <\(url)>")
            if url.hasPrefix("https://") { lines.append("List-Unsubscribe-Post: List-Unsubscribe=One-Click") }
        }
        lines += mail.fields.map { MIMEText.field($0.name, $0.value) }
        return lines.map { $0 + "\r\n" }.joined()
    }

    // MARK: Body

    /// The fields that say what the content is, an empty line, and the content.
    private static func body(_ text: String, _ html: String?, _ attachments: [OutgoingMail.Attachment]) -> String {
        var content = part("text/plain; charset=utf-8", "quoted-printable", MIMEText.quotedPrintable(text))
        if let html {
            let version = part("text/html; charset=utf-8", "quoted-printable", MIMEText.quotedPrintable(html))
            content = multipart("alternative", [content, version])
        }
        guard !attachments.isEmpty else { return content }
        return multipart(
            "mixed",
            [content]
                + attachments.map { file in
                    "Content-Disposition: attachment; \(MIMEText.fileName(file.name))\r\n"
                        + part(file.type, "base64", MIMEText.base64Lines(file.base64))
                })
    }

    private static func part(_ type: String, _ encoding: String, _ content: String) -> String {
        "Content-Type: \(type)\r\nContent-Transfer-Encoding: \(encoding)\r\n\r\n\(content)"
    }

    private static func multipart(_ kind: String, _ parts: [String]) -> String {
        // No line of quoted-printable text or base64 has these characters next to each other (RFC 2045 §6.7).
        let boundary = "=_\(token())"
        return "Content-Type: multipart/\(kind); boundary=\"\(boundary)\"\r\n\r\n"
            + parts.map { "--\(boundary)\r\n\($0)\r\n" }.joined() + "--\(boundary)--\r\n"
    }
}
