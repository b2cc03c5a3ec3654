import ArgumentParser
import Logging
import Roost
import RoostAuth

/// `App accounts …`
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "Add, list and disable accounts, and set their passwords.",
        subcommands: [Add.self, List.self, Disable.self, Enable.self, Password.self]
    )

    /// An account as programs read it.
    private struct Row: Encodable {
        let email: String
        let roles: [String]
        let isDisabled: Bool

        init(_ account: Account) {
            (email, roles, isDisabled) = (account.email, account.roles.sorted(), account.isDisabled)
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add an account. The password is asked for.")

        @Argument(help: "The address to sign in with.") var email: String
        @Option(help: "Names of what the account may do beyond others, with commas between them.") var roles = ""
        @OptionGroup var password: PasswordOption
        @Flag(help: "Print an object with email, roles and isDisabled.") var json = false

        func run() async throws {
            let roles = CommandText.parts(of: roles)
            try await CommandAuth.open { auth in
                let account = try await auth.addAccount(email: email, password: try password.read(), roles: roles)
                print(json ? try CommandText.json(Row(account)) : "\(account.email) can sign in now.")
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List all accounts.")

        @Flag(help: "Print an array of objects with email, roles and isDisabled.") var json = false

        func run() async throws {
            try await CommandAuth.open { auth in
                let accounts = try await auth.accounts.all()
                if json { return print(try CommandText.json(accounts.map(Row.init))) }
                for account in accounts {
                    let notes = account.roles.sorted() + (account.isDisabled ? ["disabled"] : [])
                    print(LogText.escaped(([account.email] + notes).joined(separator: " ")))
                }
            }
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keep an account from signing in; its sessions end, its tokens are refused.")

        @Argument(help: "The address of the account.") var email: String

        func run() async throws {
            try await CommandAuth.open { auth in try await auth.setDisabled(true, email: email) }
            print("\(email) cannot sign in any more.")
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Let a disabled account sign in again.")

        @Argument(help: "The address of the account.") var email: String

        func run() async throws {
            try await CommandAuth.open { auth in try await auth.setDisabled(false, email: email) }
            print("\(email) can sign in again.")
        }
    }

    struct Password: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give an account another password; its sessions end.")

        @Argument(help: "The address of the account.") var email: String
        @OptionGroup var password: PasswordOption

        func run() async throws {
            try await CommandAuth.open { auth in try await auth.setPassword(try password.read(), email: email) }
            print("\(email) has a new password.")
        }
    }
}
