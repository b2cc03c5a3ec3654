import Glibc
import Testing

@testable import Roost

/// A client, and the server's end of its connection, whose loop does not run by itself.
final class StandingClient {
    let descriptor: Int32
    let connection: Connection

    init(in group: ConnectionGroup, socketTakes size: Int32? = nil) throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        descriptor = ends[0]
        if var size { setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &size, 4) }
        connection = Connection(ends[1], from: .local, in: group)
    }

    deinit {
        connection.close()
        close(descriptor)
    }

    /// Sends a request, and lets the server read it.
    func ask(_ request: String = get("/")) {
        #expect(write(descriptor, request, request.utf8.count) == request.utf8.count)
        connection.ready(.read)
    }

    /// How many bytes have come; nil when the server has ended the connection.
    var received: Int? {
        var count = 0
        var bytes = [UInt8](repeating: 0, count: 100_000)
        while true {
            let more = read(descriptor, &bytes, bytes.count)
            guard more > 0 else { return more == 0 && count == 0 ? nil : count }
            count += more
        }
    }
}
