import FoundationEssentials
import Glibc
import Synchronization

/// Ports for programs that cannot listen on port 0 and report the port that they got.
///
/// The kernel takes clients' ports from a certain range, and a test with 10,000 connections uses up a good part of it.
/// A port in that range that is free now may be a client's when the program binds it, or binds it again after a
/// restart. These ports are below that range, unless it leaves too few, and none is given out twice, nor to two
/// processes that run tests at the same time.
package enum FreePort {
    private static let candidates = Mutex<ArraySlice<Int>>(
        Array(range).shuffled()[...]
    )

    /// The ports that may be given out: on some servers, clients' ports begin at 1024.
    package static let range = 10_000..<(firstOfClients > 11_000 ? firstOfClients : 65_536)

    /// A port of this machine that nothing listens on.
    package static func next() throws -> Int {
        while let port = candidates.withLock({ $0.popFirst() }) {
            if claim(port), isFree(port) { return port }
        }
        throw ProcessError(code: "no free port", message: "all of \(range) are taken")
    }

    /// The beginning of the range from which clients' ports are taken (`ip(7)`).
    package static let firstOfClients: Int = {
        let range = try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)
        return range?.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) } ?? 32_768
    }()

    /// Reserves a port for this process, until it ends: a socket of that name in the abstract namespace (`unix(7)`) can
    /// exist only once on the machine, and goes away with its process.
    private static func claim(_ port: Int) -> Bool {
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array("\0roost-test-port-\(port)".utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let size = MemoryLayout<sa_family_t>.size + name.count
        let isMine = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, socklen_t(size)) == 0 }
        }
        if !isMine { close(socket) }
        return isMine
    }

    private static func isFree(_ port: Int) -> Bool {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
