import FoundationEssentials
import Glibc
import Processes
import Roost
import RoostTesting
import Synchronization
import Testing

@testable import RoostMail

@Suite(.quietLog, .timeLimit(.minutes(2)))
struct DeliveryTests {
    private func deliver(
        to server: FakeMailServer, url: String = "smtp://127.0.0.1", _ mail: Mail? = nil, isLoopback: Bool = true
    ) async throws {
        var smtp = try SMTPServer(url: "\(url):\(server.port)")
        smtp.isLoopback = isLoopback
        let mailer = Mailer(smtp, from: "Nest <nest@example.org>")
        let mail = try mailer.make(mail ?? Mail(to: "ada@example.org", subject: "Hello", text: ".dot\n..\nend"))
        for recipient in mail.recipients { try await mailer.deliver(MailDelivery(mail: mail, recipient: recipient)) }
    }

    /// Delivers a mail within the limits of one delivery.
    /// - Parameters:
    ///   - time: The longest that nothing may happen until the whole mail is on its way.
    ///   - passed: The time since the beginning, by the clock of the delivery.
    private func deliver(
        to port: Int, within time: Duration, passed: (@Sendable () -> Duration)? = nil,
        isCancelled: @escaping @Sendable () -> Bool
    ) async throws {
        let smtp = try SMTPServer(url: "smtp://127.0.0.1:\(port)")
        let mail = try Mailer(smtp, from: "nest@example.org").make(
            Mail(to: "ada@example.org", subject: "Hello", text: "x"))
        try await SMTPConnections(1).run { easy in
            let start = ContinuousClock.now
            let delivery = SMTPDelivery(
                MailDelivery(mail: mail, recipient: "ada@example.org"), to: smtp, isCancelled: isCancelled)
            if let passed { delivery.now = { start + passed() } }
            try delivery.perform(easy, from: "nest@example.org", trusting: nil, within: time)
        }
    }

    /// The end of a mail, which a server answers when it is let go.
    private final class End: Sendable {
        private let reached = Atomic(false)
        private let answer = CountingSemaphore()

        var isReached: Bool { reached.load(ordering: .acquiring) }

        func letGo() { answer.post() }

        /// Holds up the answer to the end; any other is the usual one.
        func hold(_ command: String) -> String? {
            guard command == "." else { return nil }
            reached.store(true, ordering: .releasing)
            // The limit only ends a broken test.
            _ = answer.wait(atMost: .seconds(60))
            return nil
        }
    }

    @Test func `a mail arrives as it was made`() async throws {
        let server = try FakeMailServer()
        try await deliver(to: server)
        let mail = try #require(server.mails.first)
        #expect(mail.commands.map { $0.prefix { $0 != " " } } == ["MAIL", "RCPT", "DATA"])
        #expect(mail.commands[0].hasPrefix("MAIL FROM:<nest@example.org>"))
        #expect(mail.commands[1] == "RCPT TO:<ada@example.org>")
        #expect(mail.text.hasSuffix("\r\n\r\n=2Edot\r\n=2E.\r\nend\r\n"))
    }

    @Test func `each recipient gets a message of its own, over one connection`() async throws {
        let server = try FakeMailServer()
        var mail = Mail(to: "ada@example.org", "bob@example.org", subject: "Hello", text: "x")
        mail.bcc = ["eve@example.org"]
        try await deliver(to: server, mail)
        #expect(
            server.mails.map { $0.commands.last { $0.hasPrefix("RCPT") } }
                == ["ada", "bob", "eve"].map { "RCPT TO:<\($0)@example.org>" })
        #expect(Set(server.mails.map(\.text)).count == 1)
        #expect(server.connections == 1)
    }

    @Test func `a session that the server has ended meanwhile is not gone on with`() async throws {
        let delivered = CountingSemaphore()
        let sessions = Atomic(0)
        let server = try CannedServer { peer in
            sessions.add(1, ordering: .relaxed)
            peer.send("220 fake\r\n")
            while let line = peer.readLine() {
                peer.send(line == "DATA" ? "354 go on\r\n" : "250 ok\r\n")
                guard line == "DATA" else { continue }
                while let text = peer.readLine(), text != "." {}
                peer.send("250 taken\r\n")
                // The limit only ends a broken test.
                _ = delivered.wait(atMost: .seconds(60))
                return peer.send("421 idle for too long\r\n")
            }
        }
        let smtp = try SMTPServer(url: "smtp://127.0.0.1:\(server.port)")
        let mail = try Mailer(smtp, from: "nest@example.org").make(
            Mail(to: "ada@example.org", subject: "Hello", text: "x"))
        let connections = SMTPConnections(1)
        for _ in 0..<2 {
            try await connections.run { easy in
                try SMTPDelivery(MailDelivery(mail: mail, recipient: "ada@example.org"), to: smtp) { false }
                    .perform(easy, from: "nest@example.org", trusting: nil, within: .seconds(60))
                delivered.post()
                // The server's word has come before the handle is given back.
                _ = SMTPConnections.hasInput(easy, within: 60_000)
            }
        }
        #expect(sessions.load(ordering: .relaxed) == 2)
    }

    @Test func `user and password are percent-decoded`() async throws {
        let server = try FakeMailServer()
        try await deliver(to: server, url: "smtp://nest%40example.org:p%3Aw%2F@localhost")
        let secret = Base64.standard.text(Array("\0nest@example.org\0p:w/".utf8))
        #expect(server.mails.first?.commands.contains(secret) ?? false)
    }

    @Test func `another machine must have STARTTLS, and gets no password without it`() async throws {
        let server = try FakeMailServer()
        let error = await #expect(throws: MailDeliveryError.self) {
            try await deliver(to: server, url: "smtp://nest:secret@127.0.0.1", isLoopback: false)
        }
        #expect(error?.description.contains("STARTTLS") ?? false)
        #expect(error?.isPermanent == false)
        #expect(server.mails.isEmpty)
    }

    @Test(arguments: [
        ("RCPT", "550 5.1.1 no such user\r\n", true), ("MAIL", "553 not you\r\n", true), (".", "554 junk\r\n", true),
        ("RCPT", "450 later\r\n", false), (".", "451 full\r\n", false), ("MAIL", "", false), (".", "", false),
        ("AUTH", "535 wrong\r\n", false), ("MAIL", "530 sign in first\r\n", false), ("EHLO", "421 busy\r\n", false),
    ])
    func `a refusal is for good, or another try may succeed`(command: String, answer: String, isPermanent: Bool)
        async throws
    {
        let server = try FakeMailServer { $0.replacing("HELO", with: "EHLO").hasPrefix(command) ? answer : nil }
        let error = await #expect(throws: MailDeliveryError.self) {
            try await deliver(to: server, url: "smtp://nest:secret@127.0.0.1")
        }
        #expect(error?.isPermanent == isPermanent, "\(error?.description ?? "")")
        #expect(error.map { !$0.description.contains("secret") } ?? false)
        if isPermanent { #expect(error?.description.contains(answer.dropLast(2)) ?? false) }
    }

    @Test func `a server that is not there`() async throws {
        let error = await #expect(throws: MailDeliveryError.self) {
            let mailer = Mailer(try SMTPServer(url: "smtp://127.0.0.1:1"), from: "nest@example.org")
            let mail = try mailer.make(Mail(to: "ada@example.org", subject: "", text: ""))
            try await mailer.deliver(MailDelivery(mail: mail, recipient: "ada@example.org"))
        }
        #expect(error?.isPermanent == false)
    }

    @Test func `a broken connection does not end a program without a server`() async {
        await #expect(processExitsWith: .success) {
            try await SMTPConnections(1).run { _ in }
            raise(SIGPIPE)
            exit(0)
        }
    }

    @Test func `a mail that has been sent to its end is not given up before the answer`() async throws {
        let end = End()
        // The server answers when the delivery has been told, after its last byte, that it is cancelled.
        let server = try FakeMailServer { end.hold($0) }
        try await deliver(to: server.port, within: .seconds(60)) {
            guard end.isReached else { return false }
            end.letGo()
            return true
        }
        #expect(server.mails.count == 1)
    }

    @Test func `a server that has the whole mail may take its time, and gets it once`() async throws {
        let end = End()
        let asked = Atomic(0)
        let server = try FakeMailServer { end.hold($0) }
        let passed: @Sendable () -> Duration = { end.isReached ? .seconds(599) : .zero }
        try await deliver(to: server.port, within: .seconds(1), passed: passed) {
            // libcurl asks about once a second.
            if end.isReached, asked.add(1, ordering: .relaxed).newValue == 4 { end.letGo() }
            return false
        }
        #expect(server.mails.count == 1)
    }

    @Test(arguments: ["MAIL", "."])
    func `a server that says nothing more is given up`(command: String) async throws {
        let reached = Latch()
        let server = try FakeMailServer { line in
            guard line.hasPrefix(command) else { return nil }
            reached.open()
            return "250-wait"  // and no end of the line
        }
        let passed: @Sendable () -> Duration = {
            guard reached.isOpen else { return .zero }
            return .seconds(command == "." ? 600 : 60)
        }
        let error = await #expect(throws: MailDeliveryError.self) {
            try await deliver(to: server.port, within: .seconds(60), passed: passed) { false }
        }
        #expect(error?.isPermanent == false && error?.description.contains("nothing has happened") == true)
    }

    @Test func `a server may take a minute to greet, and an address that is dead leaves time for the next`() {
        #expect(SMTPDelivery.connectTime > Mailer.timeout)
        #expect(SMTPDelivery.connectTime / 2 < Mailer.timeout)
    }

    @Test func `an address has its time from when it is tried`() async throws {
        let (accepted, end) = (Latch(), CountingSemaphore())
        let reads = Atomic(0)
        let asked = Atomic(0)
        let server = try CannedServer { _ in
            accepted.open()
            // The limit only ends a broken test. It closes without a greeting.
            _ = end.wait(atMost: .seconds(60))
        }
        // As if the name had taken 59 seconds, or the addresses before this one.
        let passed: @Sendable () -> Duration = {
            guard reads.add(1, ordering: .relaxed).newValue > 1 else { return .zero }
            return .seconds(accepted.isOpen ? 60 : 59)
        }
        let error = await #expect(throws: MailDeliveryError.self) {
            try await deliver(to: server.port, within: .seconds(60), passed: passed) {
                if accepted.isOpen, asked.add(1, ordering: .relaxed).newValue == 2 { end.post() }
                return false
            }
        }
        #expect(error?.description.contains("nothing has happened") == false)
    }

    @Test func `a cancelled delivery ends at once`() async throws {
        let reached = Latch()
        let server = try FakeMailServer { command in
            guard command.hasPrefix("MAIL") else { return nil }
            reached.open()
            return "250-wait"  // and no end of the line
        }
        let task = Task { try await deliver(to: server) }
        await reached.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    // MARK: SMTP_URL

    @Test(arguments: [
        ("smtps://u:p@mail.example.org", "smtps://mail.example.org:465", false),
        ("smtp://mail.example.org", "smtp://mail.example.org:587", false),
        ("smtp://localhost:25/", "smtp://localhost:25", true), ("smtp://[::1]:25", "smtp://[::1]:25", true),
        ("smtp://127.0.0.2", "smtp://127.0.0.2:587", true),
    ])
    func `the URL of a server`(text: String, shown: String, isLoopback: Bool) throws {
        let server = try SMTPServer(url: text)
        #expect(server.description == shown)
        #expect(server.isLoopback == isLoopback)
    }

    @Test(arguments: [
        "", "mail.example.org", "http://mail.example.org", "smtp://", "smtp://u@host", "smtp://host/x",
        "smtp://host?tls=none", "smtp://ho st", "smtp://host:99999", "smtp://u:secret@",
    ])
    func `a text that is no such URL`(text: String) {
        let error = #expect(throws: StartError.self) { try SMTPServer(url: text) }
        #expect(error.map { "\($0)".hasPrefix("SMTP_URL") && !"\($0)".contains("secret") } ?? false)
    }

    @Test func `the server of the environment is none without the variable, or with an empty one`() throws {
        #expect(try SMTPServer(environment: [:]) == nil)
        #expect(try SMTPServer(environment: ["SMTP_URL": ""]) == nil)
        let server = try #require(try SMTPServer(environment: ["SMTP_URL": "smtps://u:p@mail.example.org"]))
        #expect(server.description == "smtps://mail.example.org:465")
        #expect(throws: StartError.self) { try SMTPServer(environment: ["SMTP_URL": "mail.example.org"]) }
    }
}
