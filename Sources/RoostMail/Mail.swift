public import Roost

/// A mail: its recipients, its subject, and its text, with or without an HTML version.
///
///     Mail(to: "ada@example.org", subject: "Welcome", view: "mails/welcome", WelcomeMail(name: "Ada"), in: german)
///
/// This mail renders its page with `mails/welcome.txt.mustache` and, if it exists, `mails/welcome.html.mustache`;
/// values are escaped in the HTML only. Its subject and the texts of its templates are in the recipient's language.
/// `Jobs.send(_:at:after:in:)` sends it.
public struct Mail: Sendable {
    /// The recipients that everybody sees.
    public var to: [MailAddress]
    /// Further recipients that everybody sees.
    public var cc: [MailAddress] = []
    /// Recipients that nobody else sees.
    public var bcc: [MailAddress] = []
    /// The sender; nil for that of the ``Mailer``.
    public var from: MailAddress?
    /// The address for answers, if it is not the sender's.
    public var replyTo: MailAddress?
    /// The subject; any text. Control characters in it, such as line breaks, become spaces. The subject of a mail with
    /// a view is looked up in its ``messages``.
    public var subject: String
    /// The recipient's language, and the time zone in which the view shows times; nil for English and UTC.
    public var messages: MessageTable?
    /// The URL at which a recipient unsubscribes from mails of this kind (RFC 2369); with `https:`, a mail program may
    /// do so itself by sending a `POST` (RFC 8058).
    public var unsubscribeURL: String?
    /// Further header fields, such as `In-Reply-To`, besides those that every mail has.
    public var headers: Headers = [:]
    /// Files to send with it.
    public var attachments: [Attachment] = []
    let content: Content

    enum Content: Sendable {
        case text(String, html: String?)
        /// The name of the templates without `.txt` and `.html`, and the view of each.
        case views(String, text: View, html: View)
    }

    /// Creates a mail whose text comes from a template.
    /// - Parameter messages: The recipient's language, and the time zone: `german`, `german.in(berlin)`, or
    ///   `request.messages` for the sender of a request; nil for English and UTC.
    public init(
        to recipients: MailAddress..., subject: String, view name: String, _ page: some Encodable & Sendable,
        in messages: MessageTable? = nil
    ) {
        to = recipients
        self.subject = subject
        self.messages = messages
        content = .views(name, text: View(name + ".txt", page), html: View(name + ".html", page))
    }

    /// Creates a mail with a text, with or without an HTML version.
    public init(to recipients: MailAddress..., subject: String, text: String, html: String? = nil) {
        to = recipients
        self.subject = subject
        content = .text(text, html: html)
    }

    /// The views of the mail, for a test that checks those of an application (`Templates.check`).
    /// - Parameter templates: The templates; they need not have the HTML version.
    public func views(in templates: Templates) -> [View] {
        guard case .views(_, let text, let html) = content else { return [] }
        return templates.contains(html.template) ? [text, html] : [text]
    }

    /// A file that is sent with a mail.
    public struct Attachment: Sendable {
        /// Its name; any text of at most 200 bytes. Control characters become spaces.
        package var name: String
        /// Its media type, with parameters of printable ASCII.
        package var type: MediaType
        /// Its content.
        package var bytes: [UInt8]

        /// Creates an attachment.
        /// - Parameter type: The media type; by default, `application/octet-stream`.
        public init(
            _ name: String, _ bytes: [UInt8], type: MediaType = MediaType("application", "octet-stream")
        ) {
            self.name = name
            self.type = type
            self.bytes = bytes
        }
    }
}

/// The error of a mail that cannot be made or sent as it is.
public enum MailError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A text that is not an email address, by the rules of browsers' forms.
    case invalidAddress(String)
    /// The mail has no recipient.
    case noRecipient
    /// The mail has more than 50 recipients.
    case tooManyRecipients(Int)
    /// The mail has more than 10 MiB.
    case tooLarge(Int)
    /// A header field that cannot be set: one that every mail has, or one with control characters in its value.
    case invalidField(String)
    /// The mail has a view, but the mailer has no templates.
    case noTemplates(String)

    /// One sentence with what to do.
    public var description: String {
        switch self {
        case .invalidAddress(let text): "\"\(LogText.escaped(text))\" is no email address."
        case .noRecipient: "The mail has no recipient: give it one."
        case .tooManyRecipients(let count):
            "The mail has \(count) recipients, more than the \(Mailer.maximumRecipients) allowed: send several mails."
        case .tooLarge(let size):
            "The mail has \(size) bytes, more than the \(Mailer.maximumSize) allowed: send a link instead of a file."
        case .invalidField(let name):
            "The mail cannot have the field \(LogText.escaped(name)): use its property, or a value without line breaks."
        case .noTemplates(let name): "The mail \(name) needs templates: pass them to Mailer(templates:)."
        }
    }
}
