import CLinux
import Glibc
import RoostTesting

/// A listening socket on loopback; a closure serves each connection on its own thread.
package final class CannedServer: Sendable {
    package let port: Int
    private let listener: Int32

    /// Starts listening on a free port; `serve` may block, and the connection closes when it returns.
    package init(serve: @escaping @Sendable (CannedConnection) -> Void) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        port = try Self.listen(on: listener)
        _ = BlockingThread.start {
            while let connection = Self.accept(from: listener) {
                _ = BlockingThread.start {
                    serve(CannedConnection(number: connection))
                    close(connection)
                }
            }
            close(listener)  // only now, so that the number is nobody else's when the server goes
        }
    }

    deinit {
        _ = shutdown(listener, Int32(SHUT_RDWR))  // ends `accept`; its thread closes the number
    }

    private static func listen(on number: Int32) throws -> Int {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(number, address, size) == 0 && Glibc.listen(number, 128) == 0
                    && getsockname(number, address, &size) == 0
            }
        }
        guard code else { throw WireClientError.systemCall("listen", errno: errno) }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// The next connection; nil once the listener has been shut down, and for no other reason.
    private static func accept(from listener: Int32) -> Int32? {
        while true {
            // Closed on exec from the start: a browser that starts now must not hold the connection open.
            let number = accept4(listener, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
            if number >= 0 { return number }
            if errno == EINVAL { return nil }
            sched_yield()
        }
    }
}
