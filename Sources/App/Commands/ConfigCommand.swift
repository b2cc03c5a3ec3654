import ArgumentParser
import Roost

/// `App config`
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print the settings in force, and where each comes from.",
        discussion: """
            A setting comes from the environment, in development from the file .env, or is the default. Secrets are \
            masked. If a value cannot be used, the command says so after the list, and exits with 78.
            """
    )

    @Flag(help: "Print an array of objects with name, value and origin.") var json = false

    func run() throws {
        var reader = SettingsReader()
        _ = Settings(reading: &reader)
        if json {
            let bytes = try JSONCoder(layout: .pretty).encode(reader.entries)
            print(String(decoding: bytes, as: UTF8.self))
        } else {
            print(TextTable(reader.entries.map { [$0.name, $0.value, $0.origin.rawValue] }).text)
        }
        try reader.check()
    }
}
