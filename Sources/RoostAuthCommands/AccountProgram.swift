import Glibc
public import Roost
public import RoostAuth
public import RoostCommands
public import RoostSQL

/// A program whose visitors sign in. It also has the commands `accounts` and `tokens`.
public protocol AccountProgram: DatabaseProgram {
    /// The scopes of a token that is made without naming any; none by default.
    static var tokenScopes: [String] { get }

    /// Returns the authentication of the site, on a database that is open.
    /// - Throws: `StartError` for a setting that cannot be used.
    static func auth(_ database: Database) throws -> Auth

    /// Called after an account was added, for example to send its owner a mail; by default, does nothing.
    static func didAdd(_ account: Account, to database: Database) async throws
}

extension AccountProgram {
    /// No scopes.
    public static var tokenScopes: [String] { [] }

    /// Does nothing.
    public static func didAdd(_ account: Account, to database: Database) {}

    /// `accounts` and `tokens`.
    public static var moduleCommands: [any ParsableCommand.Type] {
        [AccountsCommand<Self>.self, TokensCommand<Self>.self]
    }

    /// Says on standard error that a list may go on behind its end, if it is as long as a list can be.
    static func sayIfFull(_ count: Int, of maximum: Int) {
        guard count >= maximum else { return }
        let line = "The list ends after \(count) rows: there may be more.\n"
        write(STDERR_FILENO, line, line.utf8.count)
    }

    /// Opens the database, for a command that changes accounts.
    static func withAuth(_ body: (Auth, Database) async throws -> Void) async throws {
        try await withDatabase { database in
            do {
                try await body(auth(database), database)
            } catch let error as AccountError {
                throw StartError.configuration("\(error)")
            } catch let error as InvalidPassword {
                throw StartError.configuration("\(error.message).")
            }
        }
    }
}

/// A service for production that logs at start how to add an account, if there is none and nobody can sign in.
public struct AccountReminder: Service {
    private let accounts: any AccountStore
    private let logger: Logger

    /// Creates a reminder for a store of accounts.
    public init(_ accounts: any AccountStore, logger: Logger) {
        self.accounts = accounts
        self.logger = logger
    }

    /// Checks whether there is an account; an unavailable database is only logged.
    public func start() async throws {
        do {
            guard try await accounts.isEmpty() else { return }
            let command = "\(ProgramName.current) accounts add EMAIL"
            logger.warning("There are no accounts, so nobody can sign in: add one with \(command).")
        } catch let error as DatabaseError {
            logger.warning("Cannot tell whether there are accounts: \(error)")
        }
    }

    /// Does nothing.
    public func stop() async {}
}
