import Roost
import Testing

@Suite("IP addresses", .timeLimit(.minutes(5)))
struct IPAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
        ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), ("::", "::"), ("::1", "::1"), ("fe80::1:2", "fe80::1:2"),
        ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:c000:201", "192.0.2.1"),
    ])
    func `an address is read as it is written`(text: String, written: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == written)
        #expect(address.isVersion4 == written.contains("."))
        #expect(IPAddress(written) == address)
    }

    @Test(arguments: [
        "", "localhost", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "+1.2.3.4", "1.2.3.4 ", " 1.2.3.4", "1.2.3.4\n",
        "127.0.0.1\0.evil.example", "[::1]", "::1%lo", "1::2::3", "::1\0", "１.2.3.4", "1.2.3.4/8", "0x7f.1",
    ])
    func `any other text is nil`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.255.254", true), ("::1", true), ("::ffff:127.0.0.1", true),
        ("128.0.0.1", false), ("126.255.255.255", false), ("0.0.0.0", false), ("::", false), ("::2", false),
        ("::127.0.0.1", false), ("1::1", false), ("192.168.0.127", false),
    ])
    func `loopback addresses are those that nothing from elsewhere has`(text: String, isLoopback: Bool) {
        #expect(IPAddress(text)?.isLoopback == isLoopback)
    }

    @Test func `a peer is written with its port, and without an address is local`() throws {
        let version4 = PeerAddress.tcp(try #require(IPAddress("192.0.2.1")), port: 80)
        let version6 = PeerAddress.tcp(try #require(IPAddress("2001:db8::1")), port: 50_000)
        #expect("\(version4) \(version6) \(PeerAddress.local)" == "192.0.2.1:80 [2001:db8::1]:50000 local")
        #expect(PeerAddress.loopback.ip?.isLoopback == true)
        #expect(PeerAddress.local.ip == nil)
    }
}
