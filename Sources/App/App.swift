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
        discussion: "The environment variables of .env.example configure it.",
        subcommands: [
            Serve.self, CheckCommand.self, ConfigCommand.self, RoutesCommand.self, HealthCommand.self, Migrate.self,
            Backup.self, AccountsCommand.self, TokensCommand.self, PatternsCommand.self,
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
    static let configuration = CommandConfiguration(abstract: "Serve the site until SIGTERM or SIGINT (the default).")

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
