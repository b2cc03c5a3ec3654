import Glibc
import Processes

/// A port that accepts connections and never sends anything.
final class SilentListener: Sendable {
    let socket: Int32

    private init(_ socket: Int32) { self.socket = socket }

    static func open() throws -> (SilentListener, Int) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && listen(socket, 10) == 0
                    ? getsockname(socket, address, &length) : -1
            }
        }
        guard code == 0 else { throw ProcessError(code: "no port", message: String(cString: strerror(errno))) }
        return (SilentListener(socket), Int(UInt16(bigEndian: address.sin_port)))
    }

    func close() { Glibc.close(socket) }
}
