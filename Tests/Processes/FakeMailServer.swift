import RoostTesting
import Synchronization

/// A mail server (RFC 5321) that keeps what it is told; without TLS.
package final class FakeMailServer: Sendable {
    /// One mail: the commands before it, and its lines.
    package struct Received: Sendable {
        package var commands: [String] = []
        package var text = ""
    }

    private let log: Log
    private let server: CannedServer

    private final class Log: Sendable {
        let received = Mutex<[Received]>([])
        let connections = Mutex(0)
        let hasMail = Latch()
    }

    /// - Parameter answer: The answer to a command, if it is not the usual one; an empty one closes the connection. The
    ///   end of a mail is the command `.`.
    package init(_ answer: @escaping @Sendable (String) -> String? = { _ in nil }) throws {
        let log = Log()
        self.log = log
        server = try CannedServer { peer in Self.serve(peer, log, answer) }
    }

    package var port: Int { server.port }

    /// The mails that it has taken.
    package var mails: [Received] { log.received.withLock { $0 } }

    /// Returns once it has taken a mail.
    package func waitForMail() async { await log.hasMail.wait() }

    /// The number of connections that it has accepted.
    package var connections: Int { log.connections.withLock { $0 } }

    private static func serve(_ peer: CannedConnection, _ log: Log, _ answer: (String) -> String?) {
        log.connections.withLock { $0 += 1 }
        peer.send("220 fake\r\n")
        var current = Received()
        while let line = peer.readLine() {
            let command = String(line.prefix { $0 != " " }).uppercased()
            if command == "EHLO" {
                peer.send(answer(line) ?? "250-fake\r\n250 AUTH PLAIN\r\n")
                continue
            }
            current.commands.append(line)
            if let text = answer(line) {
                if text.isEmpty { return }
                peer.send(text)
                if text.hasPrefix("5") || text.hasPrefix("4") { current = Received() }
                continue
            }
            switch command {
            case "DATA":
                peer.send("354 go on\r\n")
                current.text = ""
                while let line = peer.readLine(), line != "." {
                    current.text += (line.hasPrefix(".") ? line.dropFirst() : line[...]) + "\r\n"
                }
                let text = answer(".")
                if text?.isEmpty == true { return }
                if text == nil { log.received.withLock { $0.append(current) } }
                if text == nil { log.hasMail.open() }
                peer.send(text ?? "250 taken\r\n")
                current = Received()
            case "AUTH":
                peer.send("334 \r\n")
                peer.readLine().map { current.commands.append($0) }
                peer.send("235 welcome\r\n")
            case "QUIT":
                peer.send("221 bye\r\n")
                return
            default: peer.send("250 ok\r\n")
            }
        }
    }
}
