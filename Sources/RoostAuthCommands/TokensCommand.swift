import FoundationEssentials
import Roost
import RoostAuth
import RoostCommands

/// `tokens`
struct TokensCommand<Site: AccountProgram>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "tokens",
            abstract: "Make, list and revoke API tokens, with which programs use the site.",
            subcommands: [Add.self, List.self, Revoke.self]
        )
    }

    /// A token as programs read it; times are those of ISO 8601.
    private struct Row: Encodable {
        let id: Int
        let email: String?
        let name: String
        let scopes: [String]
        let made, expires: String
        let isRevoked: Bool
        let used, text: String?

        init(_ token: APIToken, _ email: String?, text: String? = nil) {
            (id, self.email, name, isRevoked) = (token.id, email, token.name, token.isRevoked)
            scopes = token.scopes.sorted()
            (made, expires, used) = (Self.time(token.made), Self.time(token.expires), token.used.map(Self.time))
            self.text = text
        }

        /// The line for people.
        var line: String {
            let state = isRevoked ? "revoked" : "expires \(expires)"
            let line = "\(id) \(email ?? "no account") \(scopes.joined(separator: ",")) \(state) \(name)"
            return LogText.escaped(line)
        }

        private static func time(_ seconds: Int) -> String {
            Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        }
    }

    struct Add: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "add", abstract: "Make a token for an account, and print it; it is never shown again.")
        }

        @Argument(help: "The address of the account.") var email: String
        @Option(help: "What the token is for.") var name = "\(Site.name) tokens"
        @Option(name: .customLong("scopes"), help: "What it may do, with commas between them.")
        var scopeLists = Site.tokenScopes
        @Option(help: "After how many days it expires, from 1 to 365.") var days = 90
        @Flag(help: "Print an object with the token's text and what tokens list --json says of it.") var json = false

        var scopes: String { scopeLists.joined(separator: ",") }

        func validate() throws {
            guard (1...365).contains(days) else { throw ValidationError("--days must be from 1 to 365.") }
        }

        func run() async throws {
            try await Site.withAuth { auth, _ in
                let lifetime = Duration.seconds(days * 24 * 3600)
                let (text, token) = try await auth.makeToken(
                    email: email, name: name, scopes: Set(scopes.listed), lifetime: lifetime)
                guard json else { return print(text) }
                let account = try await auth.accounts.account(id: token.account)?.account
                print(try JSONCoder.printed(Row(token, account?.email, text: text)))
            }
        }
    }

    struct List: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(commandName: "list", abstract: "List the tokens, without their texts.")
        }

        @Argument(help: "The address of the account; without it, those of all accounts.") var email: String?
        @Flag(help: "Print an array of objects with id, email, name, scopes, made, expires, isRevoked and used.")
        var json = false

        func run() async throws {
            try await Site.withAuth { auth, _ in
                var rows: [Row] = []
                var account: Int?
                if let email { account = try await auth.existing(email).id }
                for token in try await auth.tokens.tokens(of: account) {
                    rows.append(Row(token, try await auth.accounts.account(id: token.account)?.account.email))
                }
                Site.sayIfFull(rows.count, of: APIToken.maximumListed)
                if json { return print(try JSONCoder.printed(rows)) }
                for row in rows { print(row.line) }
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(commandName: "revoke", abstract: "Revoke a token for good.")
        }

        @Argument(help: "The number of the token, as tokens list shows it.") var id: Int

        func run() async throws {
            try await Site.withAuth { auth, _ in
                guard try await auth.revokeToken(id) else {
                    print("There is no valid token \(id) to revoke.")
                    throw ExitCode(1)
                }
            }
            print("Token \(id) has been revoked.")
        }
    }
}
