import Glibc
import Roost

/// Shows to everybody who connects why there is no program, until it is released.
final class FailurePage {
    private let socket: Int32
    private let title: String
    private let lines: [String]
    /// A page of another site must not read lines of this program through a name that leads here (DNS rebinding).
    private let hosts: AllowedHosts
    private let run = "\(UInt64.random(in: 0...UInt64.max))"
    private var clients: [Int32] = []
    /// The requests that wait for the next program.
    private var followers: [Int32] = []

    /// - Parameter variables: Those of the program, which name its hosts.
    init(_ socket: Int32, title: String, lines: [String], variables: [String: String]) {
        hosts = (try? AllowedHosts(environment: variables)) ?? AllowedHosts([], allowsLocal: true)
        self.socket = socket
        self.title = title
        self.lines = lines
    }

    deinit { for client in clients + followers { close(client) } }

    /// The sockets to wait for, as `poll` takes them: the listening one, and those of clients.
    var entries: [pollfd] { ([socket] + clients).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) } }

    /// Accepts those who wait, and responds to what has arrived; returns to how many.
    @discardableResult
    func serve() -> Int {
        while case let client = accept(socket, nil, nil), client >= 0 {
            _ = fcntl(client, F_SETFL, O_NONBLOCK)
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            clients.append(client)
        }
        var count = 0
        for client in clients {
            var space = [UInt8](repeating: 0, count: 16_384)
            let size = read(client, &space, space.count)
            if size < 0, errno == EAGAIN { continue }
            clients.removeAll { $0 == client }
            guard size > 0 else {
                close(client)
                continue
            }
            respond(to: String(decoding: space[..<size], as: UTF8.self), client)
            count += 1
        }
        return count
    }

    /// Requests of a browser fit into one read, and nothing of them counts but their first line, `Host` and `Accept`.
    private func respond(to request: String, _ client: Int32) {
        let path = request.split(separator: " ", maxSplits: 2).dropFirst().first ?? ""
        switch path {
        case _ where !isForThisSite(request):
            send("421 Misdirected Request", "text/plain", "This server does not serve that host.\n", client)
        case LiveReload.eventsPath[...]:
            send("200 OK", "text/event-stream", "event: state\ndata: \(run)\n\n", hasLength: false, client)
            followers.append(client)
            return
        case LiveReload.scriptPath[...]: send("200 OK", "text/javascript", LiveReload.script, client)
        case _ where request.utf8.firstRange(of: "text/html".utf8) != nil:
            send("500 Internal Server Error", "text/html", page, client)
        default: send("500 Internal Server Error", "text/plain", lines.joined(separator: "\n") + "\n", client)
        }
        shutdown(client, Int32(SHUT_WR))
        close(client)
    }

    /// Whether the one host that it names is the site's.
    private func isForThisSite(_ request: String) -> Bool {
        let lines = request.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
        let named = lines.filter { $0.prefix(5).lowercased() == "host:" }
        let end: Set<UInt8> = [UInt8(ascii: "\r"), UInt8(ascii: " ")]
        let value = named.first?.utf8.dropFirst(5).drop(while: end.contains)
        guard named.count == 1, let value else { return false }
        return hosts.allows(String(Substring(value.prefix { !end.contains($0) })))
    }

    private func send(_ status: String, _ type: String, _ body: String, hasLength: Bool = true, _ client: Int32) {
        let length = hasLength ? "Content-Length: \(body.utf8.count)\r\n" : ""
        let head = """
            HTTP/1.1 \(status)\r
            Content-Type: \(type); charset=utf-8\r
            \(length)Cache-Control: no-store\r
            Content-Security-Policy: default-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'\r
            Connection: close\r
            \r

            """
        let text = head + body
        // The socket's buffer takes that much from the beginning.
        _ = write(client, text, text.utf8.count)
    }

    private var page: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(title)</title>
        <style>
        \(DevelopmentPage.style)
        pre { padding: .5rem .75rem; }
        .output { margin-top: 0; white-space: pre-wrap; }
        @media (max-width: 40rem) { pre { white-space: pre-wrap; } }
        </style>
        </head>
        <body>
        <main>
        <h1>\(title)</h1>
        \(sections)
        <p class="soft">This page loads the site as soon as the next build succeeds.</p>
        </main>
        \(LiveReload.element(run))</body>
        </html>

        """
    }

    /// Each error with the lines of code below it; lines that belong to none stand alone.
    private var sections: String {
        var blocks: [(head: String?, lines: [String])] = []
        for line in lines.prefix(400) {
            if BuildErrors.isHead(line) {
                blocks.append((line, []))
            } else if blocks.isEmpty {
                blocks.append((nil, [line]))
            } else {
                blocks[blocks.count - 1].lines.append(line)
            }
        }
        return blocks.map { block in
            let head = block.head.map { "<p class=\"what\">\(Self.escaped($0))</p>" } ?? ""
            let lines = block.lines.map { line in
                let text = Self.escaped(line)
                return line.contains("error: ") ? "<mark>\(text)</mark>" : text
            }
            // Lines of code are not wrapped where there is room, because marks point at places of the line above.
            let kind = block.head == nil ? " class=\"output\"" : ""
            let code = lines.isEmpty ? "" : "<pre\(kind)>\(lines.joined(separator: "\n"))</pre>"
            return "<section>\(head)\(code)</section>"
        }.joined(separator: "\n")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
