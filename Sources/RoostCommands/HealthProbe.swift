import Glibc
import Roost

/// Asks a server on this machine how it is.
enum HealthProbe {
    /// The answer of the server.
    struct Response: Equatable {
        let isHealthy: Bool
        /// The body: JSON.
        let text: String
    }

    /// The response to `GET` of a path; nil when there is none.
    /// - Parameters:
    ///   - host: A name, an address, or `unix:` and the path of a Unix socket (`HOST`).
    ///   - timeout: The time limit for each step of the server, in whole seconds.
    static func ask(
        _ path: String = "/health/ready", host: String, port: Int, timeout: Duration = .seconds(5)
    ) -> Response? {
        // A name such as localhost may have addresses that the site does not listen on.
        for address in addresses(host, port) {
            if let response = ask(path, address, timeout) { return response }
        }
        return nil
    }

    private static func addresses(_ host: String, _ port: Int) -> [SocketAddress] {
        if host.utf8.starts(with: "unix:".utf8) {
            return [SocketAddress(path: String(Substring(host.utf8.dropFirst(5))))].compactMap(\.self)
        }
        // What listens at :: takes IPv4, too; on a machine without IPv6, nothing else.
        let everyHost = ["0.0.0.0": ["127.0.0.1"], "::": ["::1", "127.0.0.1"]]
        return (everyHost[host] ?? [host]).flatMap { (try? SocketAddress.resolve(host: $0, port: port)) ?? [] }
    }

    private static func ask(_ path: String, _ address: SocketAddress, _ timeout: Duration) -> Response? {
        let socket = socket(address.family, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return nil }
        defer { close(socket) }
        var time = timeval(tv_sec: Int(timeout.components.seconds), tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        guard address.connect(socket) == 0 else { return nil }
        let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        guard send(socket, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count else { return nil }
        return parse(received(from: socket))
    }

    /// Returns all bytes up to the end of the connection, at most 64 KiB.
    private static func received(from socket: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count < 65_536 {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func parse(_ text: String) -> Response? {
        guard text.hasPrefix("HTTP/1.1 "), let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        return Response(isHealthy: text.hasPrefix("HTTP/1.1 200 "), text: String(text[end.upperBound...]))
    }
}

/// `health`: for a container's health check, which has no curl.
struct HealthCommand<Site: SiteProgram>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "health",
            abstract: "Ask the running site on this machine whether it is ready.",
            discussion: """
                It asks for /health/ready on HOST and PORT, and exits with 0 if the site is ready. It exits with 1 if \
                the site is starting or draining, if a check fails, or if nothing responds within five seconds.
                """
        )
    }

    @Flag(help: "Ask only whether it is alive (/health/live): true also while a check fails.") var live = false
    @Flag(help: "Print what the site says, as JSON.") var json = false

    func run() throws {
        let server = try ServerConfiguration(environment: ProcessEnvironment.variables)
        let path = live ? "/health/live" : "/health/ready"
        let response = HealthProbe.ask(path, host: server.host, port: server.port)
        if json {
            print(response?.text ?? #"{"status":"unreachable"}"#)
        } else {
            let state = live ? "alive" : "ready"
            let details =
                response.map { ": \($0.text)" } ?? ": nothing responds (HOST \(server.host), PORT \(server.port))."
            print(response?.isHealthy == true ? "The site is \(state)." : "The site is not \(state)\(details)")
        }
        guard response?.isHealthy == true else { throw ExitCode(1) }
    }
}
