import Roost
import Testing

@Suite("RFC 9110 §11.6.2: Authorization", .timeLimit(.minutes(5)))
struct CredentialsTests {
    private static func credentials(_ fields: [String], _ scheme: String) throws -> String? {
        var headers: Headers = [:]
        for field in fields { headers.append(.authorization, field) }
        return try Request(.get, "/", headers: headers).credentials(scheme)
    }

    @Test(
        arguments: [
            ("Bearer abc", "abc"), ("bearer   abc ", "abc"), ("BEARER a b", "a b"), ("Token abc", nil), ("Bearer", nil),
            ("Bearer ", nil), ("", nil), ("Bearerx abc", nil), ("Bearer\tabc", nil), ("Basic Og==", nil),
        ] as [(String, String?)])
    func `what follows the scheme`(field: String, credentials: String?) throws {
        #expect(try Self.credentials([field], "Bearer") == credentials)
    }

    @Test func `an application may have a scheme of its own`() throws {
        #expect(try Self.credentials(["Token abc"], "Token") == "abc")
    }

    @Test func `who names himself twice is nobody`() throws {
        #expect(try Self.credentials(["Bearer abc", "Bearer def"], "Bearer") == nil)
        #expect(try Self.credentials([], "Bearer") == nil)
    }
}
