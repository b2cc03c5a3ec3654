import ArgumentParser
import Glibc
import Logging
import Roost

/// The command line of the site.
@main
struct App: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "App",
        abstract: "The site built with Roost.",
        discussion: """
            Settings are environment variables, and in development lines of the file .env; .env.example lists them, \
            and App config shows those in force. A command that fails says why, and exits with 64 for a wrong command \
            line, 69 for something that is not available now, 78 for something that must be changed, or 1.
            """,
        subcommands: [
            Serve.self, CheckCommand.self, ConfigCommand.self, RoutesCommand.self, HealthCommand.self, Migrate.self,
            Backup.self, Restore.self, AccountsCommand.self, TokensCommand.self,
        ],
        defaultSubcommand: Serve.self
    )

    /// Like ArgumentParser's own, but with the exit codes of `docs/exit-codes.md`.
    static func main() async {
        do { try EnvironmentFile.load() } catch { Application.exit(with: error) }
        LoggingSystem.bootstrap(RoostLogHandler.init)
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as any ExitError {
            Application.exit(with: error)
        } catch {
            exit(withError: error)
        }
    }
}

/// `App serve`, or `App` alone.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the site until SIGTERM or SIGINT (the default).",
        // Also what a mistyped command gets, because a word that is no command is an argument of the default one.
        usage: "App serve\nApp --help lists all commands.",
        discussion: """
            It listens on HOST and PORT, or on the sockets that it is started with (LISTEN_FDS), and prints its URL \
            when it is ready. SIGTERM or SIGINT lets requests finish, for DRAIN_TIMEOUT seconds at most; a second \
            signal ends it at once. The log goes to standard error. With ADMIN_PORT, metrics are at /metrics there.
            """
    )

    func run() async {
        let logger = Logger(label: "app")
        let port = ListeningPort()
        let onStart = { (server: Server) in
            port.number = server.port
            (try? Settings())?.warn(logger)
            RoostLogHandler.flush()
            print("Roost answers at \(server.url)")
            fflush(nil)
        }
        await Application.serve(onStart: onStart) { try makeApp(Settings(), logger: logger, port: port) }
    }
}
