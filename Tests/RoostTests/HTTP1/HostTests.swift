import HTTPTypes
import Testing

@testable import Roost

extension HTTP1Tests {
    @Suite("RFC 9112 §3.2 and RFC 9110 §7.2: Host") struct HostTests {
        @Test(arguments: [
            "a", "example.com", "EXAMPLE.com.", "a:80", "a:", "a:0", "a:65535", "127.0.0.1", "127.0.0.1:3000", "[::1]",
            "[::1]:80", "[::1]:", "[2001:DB8::7]:443", "[::ffff:1.2.3.4]", "a-b_c~d", "%41b", "a%2Db:80",
            "a!$&'()*+,;=",
            "00080:00080",
        ])
        func `a host and an optional port are read`(host: String) throws {
            #expect(try whole("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").authority == host)
        }

        @Test(arguments: [
            "", " ", "a b", "a:b", "a:-1", "a:+1", "a:1a", "a:0x50", "a:65536", "a:99999", "a:100000", "a:000080",
            "a:80:80", "a:8:", "a::", "a:8/",
            "a: 80", "a :80", ":80", ":", "a/", "a/b", "/", "http://a", "u@a", "u:p@a", "@a", "a?b", "a#b", "a\\b",
            "a, b",
            "[::1", "::1", "[::1]a", "[::1]80", "[]", "[:]", "[a]", "[::g]", "[1.2.3.4]", "[::1]]", "[[::1]]",
            "[::1%25eth0]",
            "[:::::]", "[1:2:3]", "[1:2:3:4:5:6:7:8:9]", "[::1::2]", "[12345::]", "[::256.1.1.1]", "a[::1]", "é", "a\"",
            "<a>",
            "a|b", "a^b", "a`b", "{a}", "a%", "a%4", "a%zz", "%", "a%2", "a]", "[v1.a]",
        ])
        func `anything else is refused`(host: String) {
            #expect(read("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n") == .invalid(.malformedHost))
        }

        @Test(arguments: ["a\0b", "a\rb", "a\u{01}", "\u{7F}"])
        func `a control character in it is refused as in any field`(host: String) {
            #expect(read("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n") == .invalid(.malformedFieldLine))
        }

        @Test(arguments: [
            "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nX: a\r\n\r\n", "GET http://b/ HTTP/1.1\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\n\r\n", "GET / HTTP/1.2\r\n\r\n", "GET / HTTP/1.1\r\nHosts: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nhOST: b\r\n\r\n",
            "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", "GET / HTTP/1.1\r\nHost:\r\nHost: a\r\n\r\n",
            "GET http://b/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        ])
        func `none at all, and a second one, is refused`(text: String) {
            #expect(read(text) == .invalid(.missingHost))
        }

        @Test func `HTTP/1.0 needs none, and what it has is checked`() throws {
            #expect(try whole("GET / HTTP/1.0\r\n\r\n").authority == "")
            #expect(try whole("GET / HTTP/1.0\r\nHost: a\r\n\r\n").authority == "a")
            #expect(read("GET / HTTP/1.0\r\nHost: a b\r\n\r\n") == .invalid(.malformedHost))
        }

        @Test func `Host is checked also when the target's authority beats it`() {
            #expect(read("GET http://b/ HTTP/1.1\r\nHost: a b\r\n\r\n") == .invalid(.malformedHost))
        }
    }
}
