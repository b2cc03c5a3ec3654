import CAllocations
import Glibc
import Logging
import Roost
import RoostTesting

/// Counts the memory of WebSockets that have echoed a message and wait for the next one.
struct IdleWebSockets {
    private static let request = """
        GET /echo HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n
        """
    /// A text of two bytes, with a key of four.
    private static let message: [UInt8] = [0x81, 0x82, 1, 2, 3, 4, 0x60, 0x63]
    private static let echo: [UInt8] = [0x81, 2, 0x61, 0x61]

    /// The bytes for each WebSocket: the least of five measurements, because what other threads allocate meanwhile only
    /// adds to them, some 50 bytes.
    static func bytesEach() async throws -> Int {
        var least = Int.max
        for _ in 0..<5 { least = min(least, try await bytesEach(of: 192)) }
        return least
    }

    /// The bytes for each of some WebSockets, after as many that are open already.
    private static func bytesEach(of count: Int) async throws -> Int {
        var logger = Logger(label: "allocations")
        logger.logLevel = .warning
        let application = try Application(logger: logger, middleware: []) { routes in
            routes.webSocket(Path("/echo")) { socket, _ in
                for try await message in socket { try await socket.send(message) }
            }
        }
        let server = try await InProcessServer(ServerConfiguration(), application, logger: logger)
        var sockets: [Int32] = []
        sockets.reserveCapacity(2 * count)
        for _ in 0..<count { sockets.append(try await open(server)) }
        let before = roost_memory()
        for _ in 0..<count { sockets.append(try await open(server)) }
        let each = Int(roost_memory() - before) / count
        for socket in sockets { close(socket) }
        await server.stop()
        return each
    }

    /// The client's end of a WebSocket that has echoed a message.
    private static func open(_ server: InProcessServer) async throws -> Int32 {
        let socket = try await server.connect()
        var request = Array(request.utf8)
        _ = write(socket, &request, request.count)
        let head = read(socket) { $0.suffix(4).elementsEqual("\r\n\r\n".utf8) }
        guard head.starts(with: "HTTP/1.1 101 ".utf8) else { throw Refused(target: "/echo", status: 0) }
        var message = message
        _ = write(socket, &message, message.count)
        let received = read(socket) { $0.count >= echo.count }
        guard received == echo else { throw Refused(target: "/echo", status: 101) }
        return socket
    }

    /// Reads until there is enough, or the end.
    private static func read(_ socket: Int32, until isEnough: ([UInt8]) -> Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1024)
        while !isEnough(bytes) {
            var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 60_000) > 0 else { break }
            let count = Glibc.read(socket, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}
