import Glibc

/// The sockets that a server listens on: those of its ports, for each loop its own.
struct BoundSockets {
    /// The address of the plain port, or of the Unix socket; the secure port's if there is no other.
    let address: SocketAddress
    /// The sockets that each loop accepts from.
    let plain: [[Int32]]
    /// The file of a Unix socket that the server has made.
    let file: SocketFile?
    /// The port with a ``Transport``; nil without one.
    private(set) var secure: SecureSockets?
    /// The admin port, and what responds there.
    private(set) var admin: (address: SocketAddress, socket: Int32, responder: any Responder)?

    /// The sockets of a port with a ``Transport``.
    struct SecureSockets {
        let address: SocketAddress
        /// The sockets that each loop accepts from.
        let sockets: [[Int32]]
        let port: any SecurePort
        /// Whether the server has bound them; the program was started with the others.
        let isOwn: Bool
    }

    /// Binds all of them. When one cannot be had, none is left.
    init(
        _ configuration: ServerConfiguration, secure: (any SecurePort)?, admin: (any Responder)?
    ) throws(StartError) {
        let (first, sockets, file) = try Self.bindPlain(configuration)
        var rest = sockets
        if configuration.inheritedSockets > 0, let secure { self.secure = Self.take(secure, from: &rest) }
        plain = rest
        self.file = file
        address = self.secure == nil ? first : rest.first?.first.flatMap(Self.address(of:)) ?? first
        do throws(StartError) {
            if let secure, self.secure == nil { self.secure = try Self.bind(secure, configuration) }
            if let admin { self.admin = try Self.bindAdmin(configuration, admin) }
        } catch {
            for socket in plain.joined() { close(socket) }
            for socket in (self.secure?.sockets ?? []).joined() { close(socket) }
            throw error
        }
    }

    private static func bindPlain(
        _ configuration: ServerConfiguration
    ) throws(StartError) -> (SocketAddress, [[Int32]], SocketFile?) {
        let count = configuration.workers
        if configuration.inheritedSockets > 0 {
            let (address, sockets) = try ListeningSocket.inherit(
                configuration.inheritedSockets,
                count: count,
                unreachableTimeout: configuration.kernelTimeout
            )
            return (address, sockets, nil)
        }
        if let address = try configuration.unixAddress() {
            let (sockets, file) = try ListeningSocket.bind(unix: address, mode: configuration.socketMode, count: count)
            return (address, sockets.map { [$0] }, file)
        }
        let (address, sockets) = try bind(configuration, configuration.port)
        return (address, sockets.map { [$0] }, nil)
    }

    /// Sockets at the host's address.
    fileprivate static func bind(
        _ configuration: ServerConfiguration, _ port: Int, prefix: String = ""
    ) throws(StartError) -> (SocketAddress, [Int32]) {
        let addresses = try SocketAddress.resolve(host: configuration.host, port: port)
        guard let wanted = addresses.first else { throw .configuration("HOST has no address.") }
        return try ListeningSocket.bind(
            wanted, count: configuration.workers, isShared: configuration.hasSharedListener,
            unreachableTimeout: configuration.kernelTimeout, prefix: prefix)
    }

    /// Takes the sockets that have the secure port from those that the program was started with; nil if none has it.
    static func take(_ secure: any SecurePort, from sockets: inout [[Int32]]) -> SecureSockets? {
        // A Unix socket has none, which reads as 0.
        guard let port = secure.port, port > 0 else { return nil }
        func isSecure(_ socket: Int32) -> Bool { address(of: socket)?.port == port }
        let taken = sockets.map { $0.filter(isSecure) }
        guard let address = taken.first?.first.flatMap(Self.address(of:)) else { return nil }
        sockets = sockets.map { $0.filter { !isSecure($0) } }
        return SecureSockets(address: address, sockets: taken, port: secure, isOwn: false)
    }

    private static func address(of socket: Int32) -> SocketAddress? { try? SocketAddress(boundTo: socket) }

    private static func bind(
        _ secure: any SecurePort, _ configuration: ServerConfiguration
    ) throws(StartError) -> SecureSockets? {
        guard let port = secure.port else { return nil }
        if configuration.isOnUnixSocket {
            throw .configuration(
                "HOST is a Unix socket, and TLS_PORT needs an address: set HOST to one, or remove TLS_PORT.")
        }
        let (address, sockets) = try bind(configuration, port, prefix: "TLS_")
        return SecureSockets(address: address, sockets: sockets.map { [$0] }, port: secure, isOwn: true)
    }

    private static func bindAdmin(
        _ configuration: ServerConfiguration, _ responder: any Responder
    ) throws(StartError) -> (address: SocketAddress, socket: Int32, responder: any Responder)? {
        guard let port = configuration.adminPort else { return nil }
        let addresses = try SocketAddress.resolve(host: configuration.adminHost, port: port, name: "ADMIN_HOST")
        guard let wanted = addresses.first else { throw .configuration("ADMIN_HOST has no address.") }
        let (address, sockets) = try ListeningSocket.bind(
            wanted, count: 1, isShared: true, unreachableTimeout: configuration.kernelTimeout, prefix: "ADMIN_")
        return (address, sockets[0], responder)
    }
}

extension ServerConfiguration {
    /// A socket that listens at ``host`` and ``port``, for a program that gets it when it is started (`LISTEN_FDS`).
    /// - Throws: ``StartError`` with a sentence; also when ``host`` names a Unix socket.
    package func listen() throws(StartError) -> Int32 {
        guard !isOnUnixSocket else {
            throw .configuration("HOST is \"\(host)\", but this needs an address, such as 127.0.0.1.")
        }
        var configuration = self
        configuration.workers = 1
        let (_, sockets) = try BoundSockets.bind(configuration, port)
        return sockets[0]
    }
}
