@testable import Roost

/// Whatever a client writes into the fields in which proxies describe clients, it comes before what the trusted proxy
/// writes, and changes nothing about that. What is believed has the form of an address and of a host.
func fuzzForwarded(_ bytes: [UInt8]) throws {
    let value = bytes.map { ByteSet.fieldContent.contains($0) ? $0 : 0x20 }
    guard let invented = try client([("Forwarded", value)]) else { return }
    if let address = invented.address {
        try same(IPAddress(address.description), address, "an address, and its text")
    }
    if let authority = invented.authority {
        try hold(!authority.isEmpty && authority.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }, "a host is one word")
        try hold(!authority.utf8.contains { "/?#@,;\"".utf8.contains($0) }, "a host is no more than a host")
    }
    let address = IPAddress("192.0.2.1")
    let told = try client([("Forwarded", value), ("Forwarded", Array("for=192.0.2.1;proto=https;host=a.b:1".utf8))])
    try same(told?.address, address, "the last element is the proxy's")
    try hold(told?.isHTTPS == true && told?.authority == "a.b:1", "with its scheme and host")

    _ = try client([("X-Forwarded-For", value), ("X-Forwarded-Proto", value), ("X-Forwarded-Host", value)])
    let usual = try client([("X-Forwarded-For", value + Array(", 192.0.2.1".utf8))])
    try same(usual?.address, address, "the last address is the proxy's")
    let own = try client([("X-Forwarded-For", value), ("X-Forwarded-For", Array("192.0.2.1".utf8))])
    try same(own?.address, address, "the last address is the proxy's, in a line of its own")
    // Fields of both kinds that differ are not believed.
    let both = try client([("Forwarded", value), ("X-Forwarded-For", Array("192.0.2.1".utf8))])
    try hold(
        both?.address == IPAddress("10.0.0.1") || both?.address == address && invented.address == address
            || value.allSatisfy { $0 == 0x20 || $0 == 0x2C || $0 == 0x09 },
        "fields that differ say nothing")
}

/// The client as its request's fields tell; nil when the request is refused.
private func client(_ fields: [(String, [UInt8])]) throws -> ForwardedClient? {
    var head = Array("GET / HTTP/1.1\r\nHost: a\r\n".utf8)
    for (name, value) in fields { head += Array("\(name): ".utf8) + value + Array("\r\n".utf8) }
    head += Array("\r\n".utf8)
    let received = head.withUnsafeBufferPointer { MessageBytes(copying: $0) }
    var parser = RequestParser()
    var cursor = 0
    guard let request = try? parser.next(in: received, at: &cursor)?.request(in: received, body: Body()),
        let peer = IPAddress("10.0.0.1"), let proxies = TrustedProxies("10.0.0.0/8,local")
    else { return nil }
    return ForwardedClient(request.receivedFields, from: .tcp(peer, port: 1), trusting: proxies)
}
