internal import CLinux
import Glibc

/// An address to bind to or to connect to, or one that has been bound.
package struct SocketAddress: Sendable, CustomStringConvertible {
    private var storage = sockaddr_storage()
    private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    /// The addresses of a name or a numeric host, IPv4 first, since that is what `localhost` usually means.
    /// - Parameter name: The variable that has the host.
    package static func resolve(
        host: String, port: Int, name: String = "HOST"
    ) throws(StartError) -> [SocketAddress] {
        do throws(NoAddress) {
            let addresses = try lookUp(host, port: port, flags: AI_PASSIVE)
            return addresses.filter(\.isIPv4) + addresses.filter { !$0.isIPv4 }
        } catch {
            let sentence = "\(name) is \"\(host)\", which has no address (\(error)); set it to an IP address."
            throw error.code == EAI_AGAIN ? .unavailable(sentence) : .configuration(sentence)
        }
    }

    /// The addresses of a name or a numeric host, in the order in which the system wants them tried. Blocks.
    package static func lookUp(
        _ host: String, port: Int = 0, flags: Int32 = 0
    ) throws(NoAddress) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_flags = flags | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard code == 0 else { throw NoAddress(code: code) }
        var addresses: [SocketAddress] = []
        var next = list
        while let info = next?.pointee {
            var address = SocketAddress()
            memcpy(&address.storage, info.ai_addr, Int(info.ai_addrlen))
            address.length = info.ai_addrlen
            addresses.append(address)
            next = info.ai_next
        }
        return addresses
    }

    /// The address that a socket is bound to.
    init(boundTo socket: Int32) throws(SystemError) {
        let code = withPointer { getsockname(socket, $0, $1) }
        guard code == 0 else { throw SystemError("getsockname") }
    }

    private init() {}

    /// The address of a Unix socket, which has a file (unix(7)).
    /// - Returns: Nil for a path that is not absolute, or that has more than 107 bytes.
    package init?(path: String) {
        let bytes = Array(path.utf8)
        guard bytes.first == UInt8(ascii: "/"), !bytes.contains(0), bytes.count <= Self.longestPath else { return nil }
        withUnsafeMutableBytes(of: &storage) { storage in
            storage.storeBytes(of: sa_family_t(AF_UNIX), as: sa_family_t.self)
            for (offset, byte) in bytes.enumerated() { storage[Self.pathOffset + offset] = byte }
        }
        length = socklen_t(Self.pathOffset + bytes.count + 1)
    }

    private static let pathOffset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    /// One byte is for the NUL at its end.
    private static let longestPath = MemoryLayout<sockaddr_un>.size - pathOffset - 1

    /// The path of a Unix socket; nil for an address of TCP, and for a Unix socket without a file.
    var path: String? {
        guard family == AF_UNIX else { return nil }
        let bytes = withUnsafeBytes(of: storage) { $0[Self.pathOffset...].prefix { $0 != 0 }.map { $0 } }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Accepts a connection: its non-blocking socket and where it comes from, or -1 and the reason in `errno`.
    static func accept(from socket: Int32) -> (Int32, SocketAddress) {
        var address = SocketAddress()
        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        return (address.withPointer { accept4(socket, $0, $1, flags) }, address)
    }

    /// This address as requests see it.
    var peer: PeerAddress {
        var copy = self
        let ip = copy.withPointer { address, _ in IPAddress(socketAddress: address) }
        return ip.map { PeerAddress.tcp($0, port: UInt16(port)) } ?? .local
    }

    package var family: Int32 { Int32(storage.ss_family) }

    /// Whether clients of HTTP can connect to it: an address for TCP, or a Unix socket.
    var isUsable: Bool { isIPv4 || family == AF_INET6 || family == AF_UNIX }

    private var isIPv4: Bool { family == AF_INET }

    /// The port, in the usual byte order; 0 for a Unix socket.
    var port: Int {
        guard family != AF_UNIX else { return 0 }
        return withUnsafeBytes(of: storage) { Int(UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self))) }
    }

    /// Whether only this machine can reach it.
    var isLoopback: Bool { family == AF_UNIX || host.hasPrefix("127.") || host == "::1" || host == "[::1]" }

    /// The numeric host.
    package var host: String {
        var copy = self
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let size = socklen_t(name.count)
        _ = copy.withPointer { getnameinfo($0, $1.pointee, &name, size, nil, 0, NI_NUMERICHOST) }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    package var description: String {
        if family == AF_UNIX { return "unix:" + (path ?? "") }
        return isIPv4 ? "\(host):\(port)" : "[\(host)]:\(port)"
    }

    func bind(_ socket: Int32) -> Int32 {
        var copy = self
        return copy.withPointer { Glibc.bind(socket, $0, $1.pointee) }
    }

    package func connect(_ socket: Int32) -> Int32 {
        var copy = self
        return copy.withPointer { Glibc.connect(socket, $0, $1.pointee) }
    }

    private mutating func withPointer<R>(
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> R
    ) -> R {
        withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
        }
    }
}

/// The error for a host that has no address.
package struct NoAddress: Error, CustomStringConvertible {
    let code: Int32

    /// The system's words for it.
    package var description: String { String(cString: gai_strerror(code)) }
}
