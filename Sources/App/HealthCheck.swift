import Glibc

/// Checks that a server on this machine responds.
enum HealthCheck {
    /// Whether the response to `HEAD /` is 200.
    /// - Parameter timeout: How long the server may take for each step, in whole seconds.
    static func passes(host: String, port: Int, timeout: Duration = .seconds(5)) -> Bool {
        let everyHost = ["0.0.0.0": "127.0.0.1", "::": "::1"]
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(everyHost[host] ?? host, String(port), &hints, &list) == 0 else { return false }
        defer { freeaddrinfo(list) }
        // A name such as localhost may have addresses that the site does not listen on.
        var next = list
        while let address = next?.pointee {
            if passes(address, timeout) { return true }
            next = address.ai_next
        }
        return false
    }

    private static func passes(_ address: addrinfo, _ timeout: Duration) -> Bool {
        let socket = socket(address.ai_family, address.ai_socktype, 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        var time = timeval(tv_sec: Int(timeout.components.seconds), tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        guard connect(socket, address.ai_addr, address.ai_addrlen) == 0 else { return false }
        let request = "HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        guard send(socket, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count else {
            return false
        }
        let expected = Array("HTTP/1.1 200 ".utf8)
        var answer = [UInt8](repeating: 0, count: expected.count)
        return recv(socket, &answer, answer.count, Int32(MSG_WAITALL)) == expected.count && answer == expected
    }
}
