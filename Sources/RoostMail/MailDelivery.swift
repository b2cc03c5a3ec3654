public import FoundationEssentials
import Roost
public import RoostJobs
public import RoostSQL

/// The job that hands a mail to the mail server for one of its recipients.
///
/// List it among the types of `Jobs`, with places in the queue `mail`; `Jobs.send(_:at:after:in:)` adds it.
public struct MailDelivery: Job {
    /// `mail`
    public static let queue = "mail"
    /// One hour: a large mail may take its time, and the answer to it ten minutes (RFC 5321 §4.5.3.2.6).
    public static let deadline = Duration.hours(1)

    let mail: OutgoingMail
    let recipient: String

    /// Delivers the mail. If the server refuses it permanently, there are no more tries.
    public func run(_ context: JobContext) async throws {
        do {
            try await context.service(Mailer.self).deliver(self)
        } catch let error as MailDeliveryError where error.isPermanent {
            throw JobFailure.discard(error.description)
        }
    }
}

extension Jobs {
    /// Sends a mail: renders and checks it, and adds a ``MailDelivery`` for each recipient.
    ///
    ///     let mail = Mail(to: "ada@example.org", subject: "Welcome", view: "mails/welcome", page)
    ///     try await jobs.send(mail, in: transaction)
    ///
    /// The queue needs a ``Mailer`` among its services.
    /// - Parameters:
    ///   - date: The time at which it is sent; by default, at once.
    ///   - delay: The time from now after which it is sent.
    ///   - transaction: A transaction on the same database: the mail is sent if it is committed.
    /// - Throws: ``MailError`` for a mail that cannot be sent; a `TemplateError` if its view cannot be shown; a
    ///   `DatabaseError`; an error without a ``Mailer``.
    public func send(
        _ mail: Mail, at date: Date? = nil, after delay: Duration = .zero, in transaction: Transaction? = nil
    ) async throws {
        let mail = try service(Mailer.self).make(mail, at: date, after: delay)
        let deliveries = mail.recipients.map { MailDelivery(mail: mail, recipient: $0) }
        guard transaction == nil, deliveries.count > 1 else {
            try await add(contentsOf: deliveries, at: date, after: delay, in: transaction)
            return
        }
        // To all recipients or to none, also where that takes several statements.
        try await database.transaction { transaction in
            _ = try await add(contentsOf: deliveries, at: date, after: delay, in: transaction)
        }
    }
}
