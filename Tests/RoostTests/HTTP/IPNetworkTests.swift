import Roost
import Testing

@Suite("Networks", .timeLimit(.minutes(5)))
struct IPNetworkTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.0.0.0/8", "9.255.255.255", false),
        ("192.0.2.128/25", "192.0.2.128", true), ("192.0.2.128/25", "192.0.2.127", false),
        ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "::1", false), ("192.0.2.1", "192.0.2.1", true),
        ("192.0.2.1", "192.0.2.2", false), ("10.0.0.0/8", "::ffff:10.1.1.1", true),
        ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::", false),
        ("2001:db8::/65", "2001:db8::7fff:0:0:1", true), ("2001:db8::/65", "2001:db8:0:0:8000::", false),
        ("::/0", "2001:db8::1", true), ("::/0", "192.0.2.1", false), ("::1", "::1", true), ("::1", "::2", false),
    ])
    func `an address is in a network when its first bits are`(network: String, address: String, isIn: Bool) throws {
        let network = try #require(IPNetwork(network))
        #expect(network.contains(try #require(IPAddress(address))) == isIn)
        #expect(IPNetwork("\(network)") == network)
    }

    @Test(arguments: [
        "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.1/8", "::1/64", "::/129",
        "10.0.0/8", "10.0.0.0/8/8", "10.0.0.0/8 ", "2001:db8::/032x", "10.0.0.0/٨", "localhost",
    ])
    func `any other text is nil`(text: String) {
        #expect(IPNetwork(text) == nil)
    }
}
