import FoundationEssentials
public import Logging
public import Roost
import Synchronization

/// Sends the mails of a program.
///
///     let mailer = Mailer(settings.mailServer, from: "Nest <nest@example.org>", templates: templates)
///     let jobs = Jobs(database, [MailDelivery.self], queues: ["default": 10, "mail": 4], services: [mailer])
///     try await jobs.send(
///         Mail(to: "ada@example.org", subject: "Welcome", view: "mails/welcome", WelcomeMail(name: "Ada")))
///
/// Without a server, as in development and in tests, it sends nothing: mails are kept for ``mails`` and ``MailPages``,
/// and logged; outside development the log says only that they were not sent.
public final class Mailer: Service {
    /// The most recipients of one mail.
    static let maximumRecipients = 50
    /// The most bytes of one mail, as it goes over the wire.
    static let maximumSize = 10 << 20
    /// The time in which something must go to a server or come from it, until it has the whole mail.
    static let timeout = Duration.seconds(60)
    /// The most connections to the server, each with a thread that waits.
    static let maximumConnections = 4

    private let server: SMTPServer?
    private let sender: MailAddress
    private let templates: Templates?
    private let certificateAuthorities: String?
    private let logger: Logger
    private let time = TimeSource.current
    let outbox = Outbox()
    private let connections = SMTPConnections(Mailer.maximumConnections)

    /// Creates a mailer.
    /// - Parameters:
    ///   - server: The server that takes the mails; nil to send none.
    ///   - sender: The sender of mails that have none.
    ///   - templates: The application's templates, for mails with a view.
    ///   - certificateAuthorities: A file with the certificates (PEM) that are trusted, instead of the system's.
    ///   - logger: By default, the task's logger (swift-log's `withLogger`) or one with the label `roost`.
    public init(
        _ server: SMTPServer?, from sender: MailAddress, templates: Templates? = nil,
        certificateAuthorities: String? = nil, logger: Logger? = nil
    ) {
        self.server = server
        self.sender = sender
        self.templates = templates
        self.certificateAuthorities = certificateAuthorities
        self.logger = logger ?? .current(or: "roost")
    }

    /// The latest mails, the newest first, if there is no server: at most 100, and as many as fit into 32 MiB. They
    /// have not been sent.
    public var mails: [OutgoingMail] { outbox.all.mails }

    /// Checks the sender, and that each template of an HTML mail has one for its text.
    /// - Throws: `StartError` with what is missing.
    public func start() async throws { try checkStart() }

    /// Closes the connections to the mail server.
    public func stop() async { connections.end() }

    /// Renders and checks a mail, which is sent at a time or after a delay.
    /// - Throws: ``MailError``; a `TemplateError` if its view cannot be shown.
    func make(_ mail: Mail, at date: Date? = nil, after delay: Duration = .zero) throws -> OutgoingMail {
        let now = time.now.timeIntervalSince1970
        let due = Double.maximum(now, date?.timeIntervalSince1970 ?? now + delay / .seconds(1))
        let mail = try OutgoingMail(mail, from: sender, templates, at: Date(timeIntervalSince1970: due))
        Timelines.current?.note(.mail, mail.subject)
        return mail
    }

    /// Gives a mail to the server for one of its recipients, and returns when the server has taken it.
    /// - Throws: ``MailDeliveryError``, which is permanent for a mail that ``make(_:at:after:)`` cannot have made;
    ///   `CancellationError`.
    func deliver(_ delivery: MailDelivery) async throws {
        do {
            try MailAddress(delivery.recipient).check()
            try delivery.mail.check()
        } catch {
            throw MailDeliveryError(isPermanent: true, description: "A mail in the queue cannot be sent: \(error)")
        }
        guard let server else { return keep(delivery) }
        let isCancelled = Atomic(false)
        try await withTaskCancellationHandler {
            try await connections.run { [certificateAuthorities] easy in
                try SMTPDelivery(delivery, to: server) { isCancelled.load(ordering: .relaxed) }
                    .perform(
                        easy, from: delivery.mail.from.address, trusting: certificateAuthorities, within: Self.timeout)
            }
        } onCancel: {
            isCancelled.store(true, ordering: .relaxed)
        }
        logger.info("A mail was sent.", metadata: ["id": "\(delivery.mail.id)", "to": "\(delivery.recipient)"])
    }

    private func keep(_ delivery: MailDelivery) {
        outbox.keep(delivery.mail, for: delivery.recipient)
        let mail = delivery.mail
        // The links in a mail are for one person; in production, nobody else reads them.
        guard Environment.current == .development else {
            return logger.warning("A mail to \(delivery.recipient) was not sent: there is no mail server.")
        }
        let text = mail.text.prefix(2000).split(whereSeparator: \.isNewline).joined(separator: " / ")
        logger.info(
            """
            A mail to \(delivery.recipient) was not sent, because there is no mail server. \
            Subject: \(LogText.escaped(mail.subject)). Text: \(LogText.escaped(text))
            """)
    }
}

extension Mailer: StartChecking {
    /// Checks all that ``start()`` needs.
    package func checkStart() throws {
        guard (try? sender.check()) != nil else {
            throw StartError.configuration(
                "Mails cannot come from \"\(LogText.escaped(sender.address))\", which is no email address.")
        }
        for name in templates?.names ?? [] where name.utf8.suffix(5).elementsEqual(".html".utf8) {
            let text = name.dropLast(5) + ".txt"
            guard templates?.contains(String(text)) == true else {
                throw StartError.configuration(
                    "Templates/\(name).mustache has no text for programs that show no HTML: "
                        + "write it into Templates/\(text).mustache.")
            }
        }
    }
}

extension ApplicationClient {
    /// The mails that a test's application would have sent, the newest first: the latest ones that its jobs have given
    /// to its ``Mailer`` (``Mailer/mails``).
    public var mails: [OutgoingMail] { service(Mailer.self)?.mails ?? [] }
}

/// The latest mails of a program that sends none, the newest first.
final class Outbox: Sendable {
    private static let capacity = 100
    private let maximumSize: Int
    private let kept = Mutex(Kept())

    /// - Parameter maximumSize: The most bytes of all mails together.
    init(maximumSize: Int = 32 << 20) { self.maximumSize = maximumSize }

    /// The mails, and the number of all that there have been, which is that of the newest one.
    struct Kept {
        var mails: [OutgoingMail] = []
        var count = 0
        fileprivate var size = 0
    }

    var all: Kept { kept.withLock { $0 } }

    /// Keeps a mail for one more of its recipients.
    func keep(_ mail: OutgoingMail, for recipient: String) {
        kept.withLock { kept in
            if let place = kept.mails.firstIndex(where: { $0.id == mail.id }) {
                if !kept.mails[place].recipients.contains(recipient) { kept.mails[place].recipients.append(recipient) }
                return
            }
            var mail = mail
            mail.recipients = [recipient]
            kept.mails.insert(mail, at: 0)
            kept.count += 1
            kept.size += mail.size
            while kept.mails.count > Self.capacity || kept.size > maximumSize, let oldest = kept.mails.popLast() {
                kept.size -= oldest.size
            }
        }
    }
}

extension OutgoingMail {
    /// The bytes of its texts and files.
    fileprivate var size: Int {
        attachments.reduce(text.utf8.count + (html?.utf8.count ?? 0)) { $0 + $1.base64.utf8.count }
    }
}
