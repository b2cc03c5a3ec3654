import RoostTesting
import Testing

/// `App tokens list` with an address.
@Suite("Tokens of an account on the command line", .quietLog, .timeLimit(.minutes(5)))
struct TokenListTests {
    @Test func `the tokens of one account are listed by themselves`() async throws {
        let data = try AccountCommandTests.Data()
        defer { data.remove() }
        _ = try await AccountCommandTests.run(data, ["migrate"])
        for email in ["ann@example.com", "bob@example.com"] {
            _ = try await AccountCommandTests.run(
                data, ["accounts", "add", email, "--password-stdin"], input: "correct horse")
            _ = try await AccountCommandTests.run(data, ["tokens", "add", email])
        }
        let (list, code) = try await AccountCommandTests.run(data, ["tokens", "list", " ANN@example.com"])
        #expect(code == "0" && list.hasPrefix("1 ann@example.com ") && !list.contains("\n"), "\(list)")
        let missing = try await AccountCommandTests.run(data, ["tokens", "list", "eve@example.com"])
        #expect(missing.code == "78", "\(missing)")
    }
}
