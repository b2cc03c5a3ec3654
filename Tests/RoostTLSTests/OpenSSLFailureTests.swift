import COpenSSL
import Testing

@testable import RoostTLS

@Suite("Failures of OpenSSL", .timeLimit(.minutes(1)))
struct OpenSSLFailureTests {
    @Test func `a failure has OpenSSL's words, and is then forgotten`() {
        #expect(SSL_CTX_new(nil) == nil)
        #expect(OpenSSLFailure.take().description == "null ssl method passed")
        #expect(OpenSSLFailure.take().description == "no reason given")
    }
}
