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
        subcommands: [Serve.self, RoutesCommand.self, Migrate.self, Backup.self, Check.self, Health.self],
        defaultSubcommand: Serve.self
    )
}

/// `App serve`, or `App` alone.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serve the site until SIGTERM or SIGINT (the default).")

    func run() async {
        let logger = Logger(label: "app")
        let port = ListeningPort()
        let onStart = { (server: Server) in
            port.number = server.port
            (try? Settings())?.warn(of: server, logger)
        }
        await Application.serve(onStart: onStart) { try makeApp(Settings(), logger: logger, port: port) }
    }
}

/// `App health`: for a container's health check, which has no curl.
struct Health: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask the running site for its front page; exit 0 if it answers."
    )

    func run() throws {
        let settings = try Settings()
        guard HealthCheck.passes(host: settings.server.host, port: settings.server.port) else { throw ExitCode(1) }
    }
}
