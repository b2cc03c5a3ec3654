import Roost

/// `config`
struct ConfigCommand<Site: SiteProgram>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "config",
            abstract: "Print the settings in force, and where each comes from.",
            discussion: """
                A setting comes from the environment, in development from the file .env, or is the default. Secrets \
                are masked. If a value cannot be used, the command says so after the list, and exits with 78.
                """
        )
    }

    @Flag(help: "Print an array of objects with name, value and origin.") var json = false

    func run() throws {
        var reader = SettingsReader()
        Site.readSettings(&reader)
        if json {
            print(try JSONCoder.printed(reader.entries))
        } else {
            print(TextTable(reader.entries.map { [$0.name, $0.value, $0.origin.rawValue] }).text)
        }
        try reader.check()
    }
}
