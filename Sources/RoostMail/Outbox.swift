import Roost
import Synchronization

/// The latest mails of a program that sends none, the newest first.
final class Outbox: Sendable {
    private static let capacity = 100
    private let kept = Mutex<[OutgoingMail]>([])

    var mails: [OutgoingMail] { kept.withLock { $0 } }

    /// Keeps a mail for one more of its recipients.
    func keep(_ mail: OutgoingMail, for recipient: String) {
        kept.withLock { kept in
            if let place = kept.firstIndex(where: { $0.id == mail.id }) {
                if !kept[place].recipients.contains(recipient) { kept[place].recipients.append(recipient) }
                return
            }
            var mail = mail
            mail.recipients = [recipient]
            kept.insert(mail, at: 0)
            kept.removeLast(max(0, kept.count - Self.capacity))
        }
    }
}
