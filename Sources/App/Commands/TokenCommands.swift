import ArgumentParser
import FoundationEssentials
import Roost
import RoostAuth

/// `App tokens …`
struct TokensCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "Make, list and revoke API tokens, by which programs change users.",
        subcommands: [Add.self, List.self, Revoke.self]
    )

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a token for an account, and print it; it is never shown again.")

        @Argument(help: "The address of the account.") var email: String
        @Option(help: "What the token is for.") var name = "App tokens"
        @Option(help: "What it may do, with commas between them.") var scopes = UserController.writing
        @Option(help: "After how many days it expires, from 1 to 365.") var days = 90

        func validate() throws {
            guard (1...365).contains(days) else { throw ValidationError("--days must be from 1 to 365.") }
        }

        func run() async throws {
            let scopes = Set(scopes.split(separator: ",").map(String.init))
            try await CommandAuth.open { auth in
                let lifetime = Duration.seconds(days * 24 * 3600)
                print(try await auth.makeToken(email: email, name: name, scopes: scopes, lifetime: lifetime).text)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the tokens, without their texts.")

        func run() async throws {
            try await CommandAuth.open { auth in
                for token in try await auth.tokens.tokens(of: nil) {
                    let email = try await auth.accounts.account(id: token.account)?.account.email ?? "no account"
                    let scopes = token.scopes.sorted().joined(separator: ",")
                    let expiry = Date(timeIntervalSince1970: Double(token.expires)).formatted(.iso8601)
                    let state = token.isRevoked ? "revoked" : "expires \(expiry)"
                    print("\(token.id) \(email) \(scopes) \(state) \(token.name)")
                }
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Revoke a token for good.")

        @Argument(help: "The number of the token, as App tokens list shows it.") var id: Int

        func run() async throws {
            try await CommandAuth.open { auth in
                guard try await auth.revokeToken(id) else {
                    print("There is no token \(id) that could be revoked.")
                    throw ExitCode(1)
                }
            }
            print("Token \(id) has been revoked.")
        }
    }
}
