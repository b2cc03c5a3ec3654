import Glibc

/// One address of a host name and a port, as the kernel takes it.
struct SocketAddress: Sendable {
    private let family: Int32
    private let bytes: [UInt8]

    /// All addresses of `host`, in the resolver's order; blocks while a name is looked up.
    static func resolve(_ host: String, port: Int) throws -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else {
            throw WireClientError.cannotConnect(to: "\(host):\(port)", reason: String(cString: gai_strerror(code)))
        }
        defer { freeaddrinfo(list) }
        return sequence(first: list, next: { $0?.pointee.ai_next }).compactMap { $0.map { SocketAddress($0.pointee) } }
    }

    private init(_ info: addrinfo) {
        family = info.ai_family
        bytes = Array(UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen)))
    }

    /// A socket connected to this address.
    ///
    /// - Parameter receiveBufferSize: The number of bytes that the kernel keeps for a client that does not read. It has
    ///   to be set before connecting, because the handshake determines how far the window can open.
    func connect(receiveBufferSize: Int?, before deadline: Deadline) throws -> Socket {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = socket(family, kind, 0)
        guard number >= 0 else { throw SocketFailure.systemCall("socket", errno: errno) }
        let connected = Socket(number)
        if let receiveBufferSize { setOption(SOL_SOCKET, SO_RCVBUF, Int32(clamping: receiveBufferSize), on: number) }
        setOption(Int32(IPPROTO_TCP), TCP_NODELAY, 1, on: number)
        try startConnecting(number)
        try Socket.wait(for: Int16(POLLOUT), on: number, before: deadline)
        try checkOutcome(of: number)
        return connected
    }

    private func startConnecting(_ number: Int32) throws {
        let code = bytes.withUnsafeBytes { buffer in
            Glibc.connect(number, buffer.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(buffer.count))
        }
        if code != 0, errno != EINPROGRESS, errno != EINTR {
            throw SocketFailure.systemCall("connect", errno: errno)
        }
    }

    private func checkOutcome(of number: Int32) throws {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &size) == 0, code == 0 else {
            throw SocketFailure.systemCall("connect", errno: code == 0 ? errno : code)
        }
    }

    private func setOption(_ level: Int32, _ option: Int32, _ value: Int32, on number: Int32) {
        var value = value
        _ = setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
