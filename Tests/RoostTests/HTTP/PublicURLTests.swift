import Testing

@testable import Roost

@Suite("The URL of a site", .timeLimit(.minutes(5)))
struct PublicURLTests {
    @Test(arguments: [
        ("https://example.com", "example.com", true), ("https://example.com/", "example.com", true),
        ("http://localhost:3000", "localhost:3000", false), ("https://[2001:db8::1]:8443", "[2001:db8::1]:8443", true),
        ("http://192.0.2.1", "192.0.2.1", false),
    ])
    func `it is a scheme, a host and perhaps a port`(text: String, authority: String, isHTTPS: Bool) throws {
        let url = try PublicURL(text)
        #expect(url.authority == authority && url.isHTTPS == isHTTPS)
        #expect("\(url)" == (text.hasSuffix("/") ? String(text.dropLast()) : text))
    }

    @Test(arguments: [
        "https://", "https:///", "https://?x", "https://#x", "https://:443", "https://ann@example.com",
        "https://ann:secret@example.com", "https://example.com?x=1", "https://example.com#top",
        "https://example.com/app", "https://example.com//", "https://exa mple.com", "https://example.com:99999",
        "https://[::1", "https://a,https://b", "https://ex\u{E4}mple.com",
    ])
    func `anything else stops the start, and no password is shown`(text: String) {
        let error = #expect(throws: StartError.self) { try PublicURL(text) }
        #expect(error?.description.hasPrefix("PUBLIC_URL is not usable") == true)
        #expect(error?.description.contains("secret") == false)
        #expect(throws: StartError.self) { try AllowedHosts(environment: ["PUBLIC_URL": text]) }
    }

    @Test(arguments: ["example.com", "ftp://example.com", "HTTPS//example.com", " https://example.com"])
    func `it has one of two schemes`(text: String) {
        let error = #expect(throws: StartError.self) { try PublicURL(text) }
        #expect(error?.description == "PUBLIC_URL is \"\(text)\"; begin it with https:// or http://.")
    }

    @Test func `not set, it is nil`() throws {
        #expect(try PublicURL(environment: [:]) == nil)
        #expect(try PublicURL(environment: ["PUBLIC_URL": ""]) == nil)
        #expect(try PublicURL(environment: ["PUBLIC_URL": "http://a"])?.authority == "a")
    }
}
