import Roost
import RoostAuth
import RoostCommands

extension [String] {
    /// The names of an option that may be repeated, each time with several that have commas between them.
    var listed: [String] { flatMap(\.listed) }
}

/// `accounts`
struct AccountsCommand<Site: AccountProgram>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "accounts",
            abstract: "Add, list and disable accounts, and set their passwords and roles.",
            subcommands: [Add.self, List.self, Disable.self, Enable.self, Password.self, Roles.self]
        )
    }

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
        static var configuration: CommandConfiguration {
            CommandConfiguration(commandName: "add", abstract: "Add an account. It prompts for the password.")
        }

        @Argument(help: "The address to sign in with.") var email: String
        @Option(help: "Names of what the account may do beyond others, with commas between them.")
        var roles: [String] = []
        @OptionGroup var password: PasswordOption
        @Flag(help: "Print an object with email, roles and isDisabled.") var json = false

        func run() async throws {
            try await Site.withAuth { auth, database in
                let roles = Set(roles.listed)
                // Nobody types a password twice to be told that the address or a role cannot be.
                try await auth.checkNew(email: email, roles: roles)
                let account = try await auth.addAccount(email: email, password: try password.read(), roles: roles)
                print(json ? try JSONCoder.printed(Row(account)) : "\(account.email) can sign in now.")
                try await Site.didAdd(account, to: database)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(commandName: "list", abstract: "List all accounts.")
        }

        @Flag(help: "Print an array of objects with email, roles and isDisabled.") var json = false

        func run() async throws {
            try await Site.withAuth { auth, _ in
                let accounts = try await auth.accounts.all()
                Site.sayIfFull(accounts.count, of: Account.maximumListed)
                if json { return print(try JSONCoder.printed(accounts.map(Row.init))) }
                for account in accounts {
                    let notes = account.roles.sorted() + (account.isDisabled ? ["disabled"] : [])
                    print(LogText.escaped(([account.email] + notes).joined(separator: " ")))
                }
            }
        }
    }

    struct Disable: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "disable",
                abstract: "Keep an account from signing in; its sessions end, its tokens are refused.")
        }

        @Argument(help: "The address of the account.") var email: String

        func run() async throws {
            try await Site.withAuth { auth, _ in try await auth.setDisabled(true, email: email) }
            print("\(email) cannot sign in any more.")
        }
    }

    struct Enable: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(commandName: "enable", abstract: "Let a disabled account sign in again.")
        }

        @Argument(help: "The address of the account.") var email: String

        func run() async throws {
            try await Site.withAuth { auth, _ in try await auth.setDisabled(false, email: email) }
            print("\(email) can sign in again.")
        }
    }

    struct Password: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "password", abstract: "Give an account another password; its sessions end.")
        }

        @Argument(help: "The address of the account.") var email: String
        @OptionGroup var password: PasswordOption

        func run() async throws {
            try await Site.withAuth { auth, _ in
                // Nobody types a password twice to be told that there is no such account.
                _ = try await auth.existing(email)
                try await auth.setPassword(try password.read(), email: email)
            }
            print("\(email) has a new password.")
        }
    }

    struct Roles: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "roles", abstract: "Print the roles of an account, or change them.",
                discussion: "A role is the name of what an account may do beyond others, such as admin.")
        }

        @Argument(help: "The address of the account.") var email: String
        @Option(help: "Give it these, with commas between them.") var add: [String] = []
        @Option(help: "Take these away, with commas between them.") var remove: [String] = []

        func run() async throws {
            try await Site.withAuth { auth, _ in
                let account = try await auth.existing(email)
                let roles = account.roles.union(add.listed).subtracting(remove.listed)
                if roles != account.roles { try await auth.setRoles(roles, email: email) }
                let text = roles.isEmpty ? "\(account.email) has no roles." : roles.sorted().joined(separator: " ")
                print(LogText.escaped(text))
            }
        }
    }
}
