import Processes
import Roost
import RoostTesting
import Synchronization
import Testing

@testable import RoostMail

/// What a server is told and says beside the mail itself.
@Suite(.quietLog, .timeLimit(.minutes(2)))
struct GreetingTests {
    private func deliver(_ url: String, to recipients: MailAddress...) async throws {
        let mailer = Mailer(try SMTPServer(url: url), from: "nest@example.org")
        for recipient in recipients {
            let mail = try mailer.make(Mail(to: recipient, subject: "Hello", text: "x"))
            try await mailer.deliver(MailDelivery(mail: mail, recipient: recipient.address))
        }
    }

    @Test(arguments: ["554 5.7.1 Relay access denied\r\n", "450 later\r\n"])
    func `a refusal without a sign-in that was wanted is no answer for good`(answer: String) async throws {
        let server = try FakeMailServer { line in
            line.hasPrefix("EHLO") ? "250-fake\r\n250 8BITMIME\r\n" : line.hasSuffix("<eve@example.org>") ? answer : nil
        }
        // The server takes the first mail. The second one would go over the same connection.
        let error = await #expect(throws: MailDeliveryError.self) {
            try await deliver(
                "smtp://nest:secret@127.0.0.1:\(server.port)", to: "ada@example.org", "eve@example.org")
        }
        #expect(server.mails.count == 1)
        #expect(error?.isPermanent == false)
        let text = error?.description ?? ""
        #expect(text.contains(answer.dropLast(2)) && text.contains("no sign-in (AUTH)"), "\(text)")
    }

    @Test func `an error says whether the server may have the mail`() async throws {
        let silent = try FakeMailServer { $0 == "." ? "" : nil }
        let lost = await #expect(throws: MailDeliveryError.self) {
            try await deliver("smtp://127.0.0.1:\(silent.port)", to: "ada@example.org")
        }
        #expect(lost?.description.contains("it may have the mail") == true, "\(lost?.description ?? "")")
        let strict = try FakeMailServer { $0 == "." ? "554 junk\r\n" : nil }
        let refused = await #expect(throws: MailDeliveryError.self) {
            try await deliver("smtp://127.0.0.1:\(strict.port)", to: "ada@example.org")
        }
        #expect(
            refused?.description.hasSuffix("it refused the message (it says: 554 junk).") == true,
            "\(refused?.description ?? "")")
    }

    @Test(arguments: ["", "/app.example.net"])
    func `a server is greeted by a name with a domain`(path: String) async throws {
        let greetings = Mutex<[String]>([])
        let server = try FakeMailServer { line in
            if line.hasPrefix("EHLO ") { greetings.withLock { $0.append(line) } }
            return nil
        }
        try await deliver("smtp://127.0.0.1:\(server.port)\(path)", to: "ada@example.org")
        let greeting = try #require(greetings.withLock { $0.first })
        #expect(path.isEmpty ? greeting.contains(".") : greeting == "EHLO app.example.net")
    }

    @Test func `the name of a machine is given only if it has a domain`() throws {
        let server = try SMTPServer(url: "smtp://mail.example.org")
        #expect(server.name(of: "3f2a9c1b77d0", for: "example.org") == "example.org")
        #expect(server.name(of: "", for: "example.org") == "example.org")
        #expect(server.name(of: "a b.example", for: "example.org") == "example.org")
        #expect(server.name(of: "vm.example.net", for: "example.org") == "vm.example.net")
        let named = try SMTPServer(url: "smtps://u:p@mail.example.org/app.example.net")
        #expect(named.name(of: "vm.example.net", for: "example.org") == "app.example.net")
        #expect(named.description == "smtps://mail.example.org:465")
        #expect(throws: StartError.self) { try SMTPServer(url: "smtp://host/app.example.net/x") }
        #expect(throws: StartError.self) { try SMTPServer(url: "smtp://host/a%20b.example.net") }
    }
}
