import Glibc

/// The addresses of a host.
enum HostAddresses {
    /// The addresses of a name in the order in which the system wants them tried; empty when it has none. Blocks.
    static func of(_ name: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var next = list
        while let entry = next {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let flags = NI_NUMERICHOST
            let address = entry.pointee
            if getnameinfo(address.ai_addr, address.ai_addrlen, &text, socklen_t(text.count), nil, 0, flags) == 0 {
                addresses.append(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
            }
            next = address.ai_next
        }
        return addresses
    }
}
