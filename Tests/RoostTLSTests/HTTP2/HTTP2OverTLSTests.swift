import RoostTesting
import Testing

@testable import Roost
@testable import RoostTLS

/// The choice of HTTP/2 by a handshake (RFC 9113 §3.2), and by the first bytes of a client without TLS (§3.3).
@Suite("HTTP/2: its choice", .timeLimit(.minutes(5)))
struct HTTP2OverTLSTests {
    private static let begin =
        HTTP2Client.preface + HTTP2Client.Frame(.settings).bytes
        + HTTP2Client.Frame(.headers, flags: 5, stream: 1, HTTP2Client.head("GET", "/")).bytes
    private static let both = TLSClient.Options(protocols: ["http/1.1", "h2"])

    @Test(arguments: [1, 20, 40, 1000])
    func `a client that asks for it gets it`(piece: Int) async throws {
        let site = try await TLSSite()
        let client = try await site.connect(Self.both)
        #expect(client.chosenProtocol == "h2")
        for start in stride(from: 0, to: Self.begin.count, by: piece) {
            try await client.send(Array(Self.begin[start..<min(start + piece, Self.begin.count)]))
        }
        #expect(try await client.text(until: "https true").hasSuffix("https true"))
    }

    @Test(arguments: [["http/1.1"], []])
    func `a client that does not may not begin with it`(protocols: [String]) async throws {
        let site = try await TLSSite()
        let client = try await site.connect(.init(protocols: protocols))
        try await client.send(Self.begin)
        let (bytes, isEnded) = try await client.read()
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 505 ") && isEnded)
    }

    @Test func `whoever has asked for it may begin with nothing else`() async throws {
        let site = try await TLSSite()
        let client = try await site.connect(Self.both)
        try await client.send(request)
        let (bytes, isEnded) = try await client.read()
        #expect(!String(decoding: bytes, as: UTF8.self).contains("https") && isEnded)
    }

    @Test func `it can be turned off`() async throws {
        let site = try await TLSSite { settings, _ in settings.speaksHTTP2 = false }
        #expect(try await site.connect(Self.both).chosenProtocol == "http/1.1")
        #expect(try await !site.client(.init(protocols: ["h2"])).connect())
        let plain = HTTPConnection(descriptor: try await site.server.connect(), host: "a", timeout: .seconds(60))
        try await plain.send(Self.begin)
        #expect(try await plain.readResponse().status.code == 505)
    }

    @Test func `a variable says so`() throws {
        func settings(_ value: String) throws -> TLSSettings {
            var reader = SettingsReader(["HTTP2": value])
            let settings = TLSSettings(reading: &reader)
            try reader.check()
            return settings
        }
        #expect(try settings("").speaksHTTP2)
        #expect(try settings("on").speaksHTTP2)
        #expect(try !settings("off").speaksHTTP2)
        #expect(throws: StartError.configuration("HTTP2 is \"maybe\"; set it to on or off.")) { try settings("maybe") }
    }
}
