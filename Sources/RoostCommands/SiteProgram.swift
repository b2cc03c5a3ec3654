@_exported public import ArgumentParser
import Glibc
import Logging
public import Roost
import RoostJobs
import RoostSQL

/// A program with a command line: it serves its application, and has the commands that every site needs.
///
///     @main
///     struct Program: SiteProgram {
///         static func application() throws -> Application {
///             try Application { routes in
///                 routes.get(Path("/")) { _ in "Hello!" }
///             }
///         }
///     }
///
/// The commands are `serve`, which also runs if no command is given, `check`, `translations`, `config`, `routes` and
/// `health`. A ``DatabaseProgram`` and the `AccountProgram` of `RoostAuthCommands` have more.
public protocol SiteProgram: SendableMetatype {
    /// The name of the program in help and messages; by default, that of its file.
    static var name: String { get }

    /// The first line of `--help`.
    static var abstract: String { get }

    /// The text of `--version`; by default, the version of Roost.
    static var version: String { get }

    /// The program's own commands, beside those that it gets; none by default.
    ///
    ///     static var commands: [any ParsableCommand.Type] { [Seed.self] }
    static var commands: [any ParsableCommand.Type] { get }

    /// The commands that a module adds to programs of this kind; none by default. They are listed before ``commands``.
    static var moduleCommands: [any ParsableCommand.Type] { get }

    /// Makes the application: to serve it, and to look at its routes.
    /// - Throws: `StartError` for what must be changed before it can start.
    static func application() async throws -> Application

    /// Reads the program's own settings: for `config`, for `check`, and when the program starts, to warn of misspelt
    /// names. The settings of the server and of the log are read in any case; by default, there are no others.
    static func readSettings(_ reader: inout SettingsReader)

    /// Called when the server has begun to listen, before its URL is printed; by default, does nothing.
    static func didStart(_ server: Server)

    /// The texts of the program for visitors, beside those of its templates: messages, subjects of mails. `check` looks
    /// for them in the tables of other languages, and `translations` adds them there; none by default.
    static var texts: [String] { get }

    /// The program's own part of `check`; none by default.
    /// - Throws: `StartError`, which `check` then reports.
    static func startChecks() throws -> [StartCheck]
}

extension SiteProgram {
    /// The name of the program's file.
    public static var name: String { ProgramName.current }

    /// `A site made with Roost.`
    public static var abstract: String { "A site made with Roost." }

    /// `Roost 0.1.0`.
    public static var version: String { "Roost " + RoostVersion.current }

    /// No commands of the program's own.
    public static var commands: [any ParsableCommand.Type] { [] }

    /// No commands of a module.
    public static var moduleCommands: [any ParsableCommand.Type] { [] }

    /// Reads the settings of the server and of the log.
    public static func readSettings(_ reader: inout SettingsReader) { reader.readServer() }

    /// Does nothing.
    public static func didStart(_ server: Server) {}

    /// No texts beside those of templates.
    public static var texts: [String] { [] }

    /// No checks of the program's own.
    public static func startChecks() -> [StartCheck] { [] }

    /// Runs the command line, and ends the process with the exit code of `docs/exit-codes.md` if that fails.
    ///
    /// It first reads `.env`, in development, and makes `RoostLogHandler` the handler of swift-log; a command other
    /// than `serve` logs warnings and errors only.
    @concurrent  // A main of another module must not inherit its caller's actor.
    public static func main() async {
        StandardOutput.keepDescriptors()
        EndSignals.endFirstProcess()
        do { try EnvironmentFile.load() } catch { Application.exit(with: error) }
        do {
            do {
                var command = try RootCommand<Self>.parseAsRoot()
                let isServing = command is ServeCommand<Self>
                bootstrapLog(isServing: isServing)
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
                if isServing { return }
            } catch let error where RootCommand<Self>.exitCode(for: error) == .success {
                // The text of `--help` and the like, which is output, too.
                let text = RootCommand<Self>.fullMessage(for: error)
                if !text.isEmpty { print(text) }
            }
            try StandardOutput.finish()
        } catch let error as any ExitError {
            Application.exit(with: error)
        } catch {
            RootCommand<Self>.exit(withError: error)
        }
    }

    private static func bootstrapLog(isServing: Bool) {
        LoggingSystem.bootstrap { label in
            var handler = RoostLogHandler(label: label)
            if !isServing { handler.logLevel = max(handler.logLevel, .warning) }
            return handler
        }
    }
}

extension SettingsReader {
    /// Reads all settings of a program: those of the server and of the log, and its own.
    init(of program: (some SiteProgram).Type, _ variables: [String: String] = ProcessEnvironment.variables) {
        self.init(variables)
        readServer()
        program.readSettings(&self)
    }

    fileprivate mutating func readServer() {
        _ = Environment(reading: &self)
        LogFormat.read(&self)
        _ = ServerConfiguration(reading: &self)
    }
}

/// The command line of a program.
struct RootCommand<Site: SiteProgram>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Site.name,
            abstract: Site.abstract,
            discussion: """
                Settings are environment variables, and in development lines of the file .env; \(Site.name) config \
                shows those in force. A command that fails says why, and exits with 64 for a wrong command line, 69 \
                for something that is not available now, 78 for something that must be changed, or 1.
                """,
            version: Site.version,
            subcommands: subcommands,
            defaultSubcommand: ServeCommand<Site>.self
        )
    }

    /// The commands that the program has for what it is, and then its own.
    private static var subcommands: [any ParsableCommand.Type] {
        var list: [any ParsableCommand.Type] = [
            ServeCommand<Site>.self, CheckCommand<Site>.self, TranslationsCommand<Site>.self, ConfigCommand<Site>.self,
            RoutesCommand<Site>.self, HealthCommand<Site>.self,
        ]
        if let program = Site.self as? any DatabaseProgram.Type { list += databaseCommands(of: program) }
        return list + Site.moduleCommands + Site.commands
    }

    private static func databaseCommands<P: DatabaseProgram>(of program: P.Type) -> [any ParsableCommand.Type] {
        let names = Set(Jobs.migrations.map(\.name))
        let jobs: [any ParsableCommand.Type] =
            program.migrations.contains { names.contains($0.name) } ? [JobsCommand<P>.self] : []
        return [MigrateCommand<P>.self, BackupCommand<P>.self, RestoreCommand<P>.self] + jobs
    }
}

/// The name of the running program's file.
package enum ProgramName {
    package static var current: String {
        CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "App"
    }
}

/// `serve`, or no command at all.
struct ServeCommand<Site: SiteProgram>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "serve",
            abstract: "Serve the site until a signal stops it.",
            // Also what a mistyped command gets, because a word that is no command is an argument of the default one.
            usage: "\(Site.name) serve\n\(Site.name) --help lists all commands.",
            discussion: """
                It listens on HOST and PORT, or on the sockets that it is started with (LISTEN_FDS), and prints its \
                URL when it is ready. SIGTERM or SIGINT lets requests finish, for DRAIN_TIMEOUT seconds at most; a \
                second signal ends it at once. The log goes to standard error. With ADMIN_PORT, that port serves \
                metrics at /metrics.
                """
        )
    }

    /// The words that are no command, which `validate` refuses.
    @Argument(help: .hidden) var words: [String] = []

    func validate() throws {
        guard let word = words.first else { return }
        let names = RootCommand<Site>.configuration.subcommands.map { $0._commandName }
        let question = ClosestName(to: word).question(among: names).map { "; \($0)" } ?? ""
        throw ValidationError("Unexpected argument '\(word)'\(question)")
    }

    func run() async {
        let onStart = { (server: Server) in
            Site.didStart(server)
            let misprints = SettingsReader(of: Site.self).remarks.filter(\.isClose).map(\.sentence)
            if !misprints.isEmpty { Logger.current(or: "roost").warning("\(misprints.joined(separator: " "))") }
            RoostLogHandler.flush()
            print("Roost answers at \(server.url)")
            fflush(nil)
        }
        await Application.serve(onStart: onStart) { try await Site.application() }
    }
}
