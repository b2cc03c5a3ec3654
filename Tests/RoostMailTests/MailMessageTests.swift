import FoundationEssentials
import HTTPTypes
import Roost
import RoostTesting
import Testing

@testable import RoostMail

/// The text of a mail as it goes over the wire.
private func text(_ mail: Mail, from sender: MailAddress = "nest@example.org") throws -> String {
    MailMessage(try OutgoingMail(mail, from: sender, nil, at: Date(timeIntervalSince1970: 784_887_151))).text
}

/// The value of a field, without the line breaks in it.
private func field(_ name: String, of message: String) -> String? {
    let head = message.firstRange(of: "\r\n\r\n").map { message[..<$0.lowerBound] } ?? message[...]
    return head.replacing("\r\n ", with: " ").split(separator: "\r\n")
        .first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
}

@Suite(.timeLimit(.minutes(2)))
struct MailMessageTests {
    @Test func `a plain mail`() throws {
        let message = try text(Mail(to: "Ada Lovelace <ada@example.org>", subject: "Welcome", text: "Hello, Ada!\n"))
        let id = try #require(field("Message-ID", of: message))
        #expect(
            message.replacing(id, with: "<id>") == """
                From: nest@example.org\r
                Date: Tue, 15 Nov 1994 08:12:31 +0000\r
                Message-ID: <id>\r
                Subject: Welcome\r
                To: "Ada Lovelace"\r
                 <ada@example.org>\r
                MIME-Version: 1.0\r
                Content-Type: text/plain; charset=utf-8\r
                Content-Transfer-Encoding: quoted-printable\r
                \r
                Hello, Ada!\r\n
                """)
        #expect(id.hasPrefix("<") && id.hasSuffix("@example.org>") && id.utf8.count > 30)
    }

    @Test func `text and HTML are alternatives, the text first`() throws {
        let message = try text(Mail(to: "ada@example.org", subject: "Both", text: "plain", html: "<p>rich</p>"))
        let boundary = try #require(
            field("Content-Type", of: message)?.split(separator: "boundary=\"").last?.dropLast())
        #expect(message.contains("Content-Type: multipart/alternative; boundary="))
        let parts = message.split(separator: "--\(boundary)")
        #expect(parts.count == 4)
        #expect(
            parts[1].hasPrefix("\r\nContent-Type: text/plain; charset=utf-8\r\n") && parts[1].hasSuffix("\r\nplain\r\n")
        )
        #expect(
            parts[2].contains("Content-Type: text/html; charset=utf-8") && parts[2].hasSuffix("\r\n<p>rich</p>\r\n"))
        #expect(parts[3] == "--\r\n")
    }

    @Test(arguments: ["Grüße aus dem Nest", "=?utf-8?B?QQ==?=", "🪺 " + String(repeating: "nest ", count: 60), " edge "])
    func `a subject of any text is encoded words of whole characters`(subject: String) throws {
        let message = try text(Mail(to: "ada@example.org", subject: subject, text: ""))
        let words = try #require(field("Subject", of: message)).split(separator: " ")
        let bytes = words.map { word -> [UInt8] in
            #expect(word.hasPrefix("=?utf-8?B?") && word.hasSuffix("?=") && word.utf8.count <= 75)
            return Base64.standard.bytes(word.dropFirst(10).dropLast(2).utf8) ?? []
        }
        #expect(bytes.allSatisfy { String(validating: $0, as: UTF8.self) != nil })
        #expect(String(decoding: bytes.flatMap(\.self), as: UTF8.self) == subject)
    }

    @Test(arguments: [3, 100, 1200])
    func `blanks make no long line`(count: Int) throws {
        let subject = "a" + String(repeating: " ", count: count) + "b"
        let message = try text(Mail(to: "ada@example.org", subject: subject, text: ""))
        #expect(message.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 78 })
        let words = try #require(field("Subject", of: message)).split(separator: " ")
        let bytes = words.flatMap { Base64.standard.bytes($0.dropFirst(10).dropLast(2).utf8) ?? [] }
        #expect(String(decoding: bytes, as: UTF8.self) == subject)
    }

    @Test func `two blanks stay as they are`() throws {
        let subject = String(repeating: "Done.  ", count: 40) + "End"
        let message = try text(Mail(to: "ada@example.org", subject: subject, text: ""))
        #expect(field("Subject", of: message) == subject)
        #expect(message.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 78 })
    }

    @Test(arguments: ["\r\nBcc: eve@example.org", "\nBcc: eve@example.org", "\u{2028}Bcc: eve@example.org", "\0Bcc: x"])
    func `no text adds a field`(evil: String) throws {
        var mail = Mail(to: MailAddress("ada@example.org", name: "Ada" + evil), subject: "Hi" + evil, text: "x")
        mail.attachments = [Mail.Attachment("bill" + evil + ".pdf", [1])]
        mail.replyTo = MailAddress("nest@example.org", name: evil)
        let message = try text(mail)
        #expect(!message.contains("\nBcc:") && !message.utf8.contains(0))
        #expect(message.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func `control characters are spaces for those who only look at the mail, too`() throws {
        var mail = Mail(to: MailAddress("ada@example.org", name: "Ada\nB"), subject: "Hi\r\nBcc: x", text: "a\nb")
        mail.attachments = [Mail.Attachment("bill\n.pdf", [1])]
        let outgoing = try OutgoingMail(mail, from: MailAddress("nest@example.org", name: "N\0"), nil, at: Date())
        #expect(outgoing.subject == "Hi  Bcc: x" && outgoing.to == [MailAddress("ada@example.org", name: "Ada B")])
        #expect(outgoing.from.name == "N " && outgoing.attachmentNames == ["bill .pdf"] && outgoing.text == "a\nb")
    }

    @Test(arguments: [
        "", "ada", "ada@", "@example.org", "ada@example.org\r\nRCPT TO:<eve@example.org>", "ada@exa mple.org",
        "ada@example.org>", "<ada@example.org>", "ada@exämple.org", "a\0@example.org", "ada@example..org",
    ])
    func `a text that is no address is refused, wherever it stands`(address: String) throws {
        let wrong = MailError.invalidAddress(address)
        #expect(throws: wrong) { try text(Mail(to: MailAddress(address), subject: "", text: "")) }
        var mail = Mail(to: "ada@example.org", subject: "", text: "")
        mail.bcc = [MailAddress(address)]
        #expect(throws: wrong) { try text(mail) }
        mail = Mail(to: "ada@example.org", subject: "", text: "")
        mail.replyTo = MailAddress(address)
        #expect(throws: wrong) { try text(mail) }
        #expect(throws: wrong) {
            try text(Mail(to: "ada@example.org", subject: "", text: ""), from: MailAddress(address))
        }
    }

    @Test func `what a user has typed is one address`() throws {
        let typed = "Eve <eve@example.org>"
        #expect(throws: MailError.invalidAddress(typed)) {
            try text(Mail(to: MailAddress(typed), subject: "", text: ""))
        }
        #expect(MailAddress(parsing: "\"Nest, the\" <nest@example.org>").name == "Nest, the")
        #expect(MailAddress(parsing: "nest@example.org") == MailAddress("nest@example.org"))
    }

    @Test(arguments: ["Nest nest@example.org", "nest", "Nest <nest>", "<>"])
    func `a setting takes no text without an address`(text: String) throws {
        let setting = Setting<MailAddress>("MAIL_FROM", default: "Nest <nest@example.org>")
        var reader = SettingsReader(["MAIL_FROM": text], file: [])
        let sender = reader.read(setting)
        #expect(sender == setting.default)
        let error = #expect(throws: StartError.self) { try reader.check() }
        #expect(error?.description.hasPrefix("MAIL_FROM is \"\(text)\"; set it to an email address") == true)
    }

    @Test(arguments: [nil, "Owl <owl@example.org>", "owl@example.org"])
    func `a setting has a name and an address, or an address`(text: String?) throws {
        let setting = Setting<MailAddress>("MAIL_FROM", default: "Nest <nest@example.org>")
        var reader = SettingsReader(text.map { ["MAIL_FROM": $0] } ?? [:], file: [])
        let sender = reader.read(setting)
        try reader.check()
        #expect(sender == MailAddress(parsing: text ?? "Nest <nest@example.org>"))
        #expect(reader.entries.map(\.value) == [text ?? "Nest <nest@example.org>"])
    }

    @Test func `hidden recipients are in the envelope only, once`() throws {
        var mail = Mail(to: "ada@example.org", subject: "", text: "")
        mail.cc = ["ada@example.org"]
        mail.bcc = ["eve@example.org"]
        let outgoing = try OutgoingMail(mail, from: "nest@example.org", nil, at: Date())
        #expect(outgoing.recipients == ["ada@example.org", "eve@example.org"])
        // With its sign, which no random Message-ID has.
        #expect(!MailMessage(outgoing).text.contains("eve@"))
        mail.to = []
        mail.cc = []
        #expect(try text(mail).contains("\r\nTo: undisclosed-recipients:;\r\n"))
        mail.bcc = []
        #expect(throws: MailError.noRecipient) { try text(mail) }
    }

    @Test func `a recipient can leave the list with one click`() throws {
        var mail = Mail(to: "ada@example.org", subject: "", text: "")
        mail.unsubscribeURL = "https://nest.example.org/leave?token=abc"
        let message = try text(mail)
        #expect(field("List-Unsubscribe", of: message) == "<https://nest.example.org/leave?token=abc>")
        #expect(field("List-Unsubscribe-Post", of: message) == "List-Unsubscribe=One-Click")
        for wrong in ["https://a/>\r\nBcc: x", "https://a/ b", "https://ä/"] {
            mail.unsubscribeURL = wrong
            #expect(throws: MailError.invalidField("List-Unsubscribe")) { try text(mail) }
        }
    }

    @Test func `further fields, but not those that a mail has anyway`() throws {
        var mail = Mail(to: "ada@example.org", subject: "", text: "")
        mail.headers = [try #require(HTTPField.Name("In-Reply-To")): "<1@example.org>"]
        #expect(try field("In-Reply-To", of: text(mail)) == "<1@example.org>")
        for name in ["Bcc", "from", "Content-Type", "MIME-Version"] {
            mail.headers = [try #require(HTTPField.Name(name)): "x"]
            #expect(throws: MailError.invalidField(name)) { try text(mail) }
        }
    }

    @Test func `a field of many ids is broken at blanks, and stays readable`() throws {
        let ids = (1...9).map { "<\(String(repeating: "x", count: 60))\($0)@example.org>" }.joined(separator: " ")
        var mail = Mail(to: "ada@example.org", subject: String(repeating: "long ", count: 40) + "end", text: "")
        mail.headers = [try #require(HTTPField.Name("References")): ids]
        let message = try text(mail)
        #expect(field("References", of: message) == ids)
        #expect(field("Subject", of: message) == mail.subject)
        #expect(message.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 90 })
    }

    @Test func `attachments`() throws {
        var mail = Mail(to: "ada@example.org", subject: "", text: "See the file.")
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        mail.attachments = [
            Mail.Attachment("bill.pdf", bytes, type: MediaType("application", "pdf")),
            Mail.Attachment("Größe \"1\".txt", [65]),
        ]
        let message = try text(mail)
        #expect(message.contains("Content-Type: multipart/mixed; boundary="))
        #expect(
            message.contains("Content-Disposition: attachment; filename=\"bill.pdf\"\r\nContent-Type: application/pdf"))
        #expect(message.contains("filename*=utf-8''Gr%C3%B6%C3%9Fe%20%221%22.txt\r\n"))
        #expect(message.replacing("\r\n", with: "").contains(Base64.standard.text(bytes)))
        #expect(message.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 78 })
        mail.attachments = [Mail.Attachment("film", [UInt8](repeating: 0, count: 8 << 20))]
        #expect {
            try text(mail)
        } throws: {
            if case .tooLarge? = $0 as? MailError { true } else { false }
        }
    }

    @Test func `an attachment has the parameters of its type`() throws {
        func message(_ type: String) throws -> String {
            var mail = Mail(to: "ada@example.org", subject: "", text: "")
            let type = try #require(MediaType(type))
            mail.attachments = [Mail.Attachment("list", [65], type: type)]
            return try text(mail).replacing("\r\n ", with: " ")
        }
        let csv = try message("text/csv; charset=utf-8")
        #expect(csv.contains("Content-Type: text/csv; charset=\"utf-8\"\r\n"))
        let invitation = try message(#"text/calendar; method=REQUEST; x="a\"\\b"; charset=utf-8"#)
        #expect(invitation.contains(#"text/calendar; charset="utf-8"; method="REQUEST"; x="a\"\\b""#))
        for value in ["\"a\r\nBcc: eve@example.org\"", "\u{1}", "ö", String(repeating: "x", count: 1000)] {
            #expect(throws: MailError.invalidField("Content-Type")) { try message("text/csv; header=\(value)") }
        }
    }

    @Test(arguments: [
        ("", ""), ("a\nb\r\nc", "a\r\nb\r\nc"), ("1 = 1", "1 =3D 1"), ("ö", "=C3=B6"),
        ("end \nend\t", "end=20\r\nend=09"),
        ("a\rb", "a=0Db"), (".\n..", "=2E\r\n=2E."),
        (String(repeating: "x", count: 76), String(repeating: "x", count: 76)),
        (String(repeating: "x", count: 77), String(repeating: "x", count: 75) + "=\r\nxx"),
        (String(repeating: "x", count: 75) + "..", String(repeating: "x", count: 75) + "=\r\n=2E."),
        (String(repeating: "x", count: 74) + "ö", String(repeating: "x", count: 74) + "=\r\n=C3=B6"),
    ])
    func `text is quoted-printable lines of at most 76 characters`(text: String, encoded: String) {
        #expect(MIMEText.quotedPrintable(text) == encoded)
    }

    @Test func `long lines end where they may`() {
        for text in [
            String(repeating: "ö", count: 200), String(repeating: " =", count: 200),
            String(repeating: "a ", count: 300),
        ] {
            let lines = MIMEText.quotedPrintable(text).split(separator: "\r\n", omittingEmptySubsequences: false)
            #expect(lines.allSatisfy { $0.utf8.count <= 76 })
            #expect(lines.dropLast().allSatisfy { $0.hasSuffix("=") })
            #expect(
                lines.map { $0.hasSuffix("=") ? $0.dropLast() : $0 }.joined()
                    == MIMEText.quotedPrintable(text).replacing("=\r\n", with: ""))
        }
    }
}
