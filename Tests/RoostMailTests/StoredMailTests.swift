import Processes
import Roost
import RoostTesting
import Testing

@testable import RoostMail

/// Mails in the queue that another program has written.
@Suite(.quietLog, .timeLimit(.minutes(2)))
struct StoredMailTests {
    @Test(arguments: [
        (#""recipient":"ada@example.org""#, #""recipient":"a@b.c>\r\nRCPT TO:<evil@x.y""#),
        (#""recipient":"ada@example.org""#, #""recipient":"""#),
        (#""from":{"address":"nest@example.org""#, #""from":{"address":"nest@example.org\r\nBcc: evil@x.y""#),
        (#""id":"<"#, #""id":"<\r\nBcc: evil@x.y\r\n"#),
    ])
    func `with an address that is none are not sent, and not tried again`(part: String, other: String) async throws {
        let server = try FakeMailServer()
        let mailer = Mailer(try SMTPServer(url: "smtp://127.0.0.1:\(server.port)"), from: "nest@example.org")
        let mail = try mailer.make(Mail(to: "ada@example.org", subject: "Hello", text: "x"))
        let stored = try JSONCoder().string(MailDelivery(mail: mail, recipient: "ada@example.org"))
        let changed = stored.replacing(part, with: other)
        try #require(changed != stored, "\(stored)")
        let delivery = try JSONCoder().decode(MailDelivery.self, from: Array(changed.utf8))
        let error = await #expect(throws: MailDeliveryError.self) { try await mailer.deliver(delivery) }
        #expect(error?.isPermanent == true)
        #expect(server.mails.isEmpty && server.connections == 0)
    }
}
