import Glibc
import Synchronization

/// `scripts/dev`: builds a program after each edit, and restarts it on a listening socket that stays open.
@main
enum Develop {
    /// Set by SIGINT and SIGTERM.
    private static let isEnding = Atomic(false)

    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { fail("usage: Develop PACKAGE PRODUCT") }
        _ = isEnding.load(ordering: .relaxed)
        for signal in [SIGINT, SIGTERM] {
            Glibc.signal(signal) { _ in Develop.isEnding.store(true, ordering: .relaxed) }
        }
        Glibc.signal(SIGPIPE, SIG_IGN)
        let host = getenv("HOST").map { String(cString: $0) } ?? "127.0.0.1"
        let port = getenv("PORT").map { String(cString: $0) } ?? "3000"
        guard let socket = listen(host, port) else {
            let code = errno
            guard code == EADDRINUSE else {
                fail("cannot listen on \(host):\(port): \(String(cString: strerror(code))).")
            }
            let other = (UInt16(port) ?? 3000) &+ 1
            fail(
                "something listens on \(host):\(port) already, such as scripts/run. Stop it, or take another port: "
                    + "PORT=\(other) scripts/dev")
        }
        let workshop = Workshop(package: arguments[1], product: arguments[2], socket: socket)
        while !isEnding.load(ordering: .relaxed) { workshop.step() }
        workshop.end()
    }

    static func fail(_ text: String) -> Never {
        let line = "scripts/dev: \(text)\n"
        write(STDERR_FILENO, line, line.utf8.count)
        exit(1)
    }

    /// A socket that listens; it is not closed on exec.
    private static func listen(_ host: String, _ port: String) -> Int32? {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, port, &hints, &list) == 0, let address = list?.pointee else { return nil }
        defer { freeaddrinfo(list) }
        let socket = socket(address.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var one: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &one, 4)
        guard bind(socket, address.ai_addr, address.ai_addrlen) == 0, Glibc.listen(socket, 1024) == 0 else {
            return nil
        }
        return socket
    }
}
