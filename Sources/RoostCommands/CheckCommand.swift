import Glibc
import Logging
import Roost
import RoostSQL

/// `check`
struct CheckCommand<Site: SiteProgram>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "check",
            abstract: "Check everything that serve needs before it listens; exit 0 if it would start.",
            discussion: """
                It reads the settings, templates and routes, looks for texts that are not translated, opens the \
                database, looks for migrations that have not been applied, asks the services for mistakes, such as a \
                certificate that cannot be read, and looks whether uploads can be written to temporary files. It \
                changes nothing: a missing SQLite file is fine if serve can create it. It also reports texts without \
                a translation and a read-only database, although serve would start with them, and tells what serve \
                would warn of.
                """
        )
    }

    @Flag(help: "Also read and check the whole SQLite database; the larger it is, the longer this takes.")
    var deep = false
    @Flag(help: "Print an array of objects with name, state (ok, failed or skipped) and details.") var json = false

    func run() async throws {
        let findings = await findings()
        if json {
            print(try JSONCoder.printed(findings))
        } else {
            print(TextTable(findings.map { [$0.name, $0.state.rawValue, $0.details] }).text)
        }
        guard findings.allSatisfy({ $0.state != .failed }) else { throw ExitCode(1) }
    }

    /// The findings of all checks, in the order in which a start would fail.
    private func findings() async -> [Finding] {
        let reader = SettingsReader(of: Site.self)
        do {
            try reader.check()
            var findings = [Finding(name: "settings", state: .ok)]
            var application: Application?
            findings.append(
                await Finding("routes and templates") {
                    let made = try await Site.application()
                    application = made
                    return "\(made.routes.count) routes"
                })
            let warnings = application.map { [$0.developmentWarning()].compactMap(\.self) + $0.warnings } ?? []
            if let application, !application.languages.isEmpty {
                findings.append(await Finding("languages") { try Self.languages(of: application) })
            }
            for check in try Site.startChecks() { findings.append(await Finding(check.name, check.body)) }
            if let program = Site.self as? any DatabaseProgram.Type { findings += await database(of: program) }
            if let application {
                findings.append(await Finding("services") { try Self.services(of: application) })
                findings.append(await Finding("temporary files") { try Self.temporaryFiles(of: application) })
            }
            // Here, since the application and the database may have read settings of their own.
            findings[0].details = (warnings + reader.remarks.map(\.sentence)).joined(separator: " ")
            return findings
        } catch {
            return "\(error)".split(separator: "\n")
                .map { Finding(name: "settings", state: .failed, details: String($0)) }
        }
    }

    /// Looks for the mistakes that services know without starting, and returns no details; nil if none looks for any.
    /// - Throws: `StartError` with all of them.
    static func services(of application: Application) throws -> String? {
        let services = application.services.compactMap { $0 as? any StartChecking }
        var mistakes: [String] = []
        for service in services {
            do { try service.checkStart() } catch { mistakes.append("\(error)") }
        }
        guard mistakes.isEmpty else { throw StartError.configuration(mistakes.joined(separator: " ")) }
        return services.isEmpty ? nil : ""
    }

    /// Makes sure that a large upload can be written to a temporary file, and returns the folder; nil if no route reads
    /// its body as a stream, for then no request has one.
    static func temporaryFiles(of application: Application) throws -> String? {
        application.routes.contains(where: \.readsStream) ? try TemporaryFile.check() : nil
    }

    /// Looks at the tables of languages, and returns what is no fault; nil if there are none. A text that would be
    /// shown wrong or in English is a fault, one that is used nowhere is not, and neither is a sentence of Roost's own
    /// that stays English.
    /// - Throws: `StartError` with the faults.
    static func languages(of application: Application) throws -> String? {
        let texts = Site.visitorTexts(in: application), known = texts + MessageTable.ownTexts
        let missing = application.languages.flatMap { table in
            table.untranslated(of: texts).map { "\(table.language): \"\($0)\" is not translated." }
        }
        let mistakes = application.languages.flatMap { $0.mistakes(in: known) }
        guard missing.isEmpty, mistakes.isEmpty else {
            // Where not all are named, what is shown wrong comes before what stays English.
            let isLong = missing.count + mistakes.count > listed
            throw StartError.configuration(list(isLong ? mistakes + missing : missing + mistakes, separator: " "))
        }
        let found = application.languages.map { table in
            let rest = table.untranslated(of: MessageTable.sentences).count
            let unused = table.unused(beside: known).map { "\"\($0)\"" }
            return table.language + (rest == 0 ? "" : ", \(rest) sentences of Roost stay English")
                + (unused.isEmpty ? "" : ", used nowhere: \(list(unused, separator: ", "))")
        }
        return found.isEmpty ? nil : found.joined(separator: "; ")
    }

    /// The number of things that a list names.
    private static var listed: Int { 10 }

    /// The first of a list, and how many more there are.
    private static func list(_ items: [String], separator: String) -> String {
        let shown = items.prefix(listed).joined(separator: separator)
        return items.count > listed ? shown + separator + "and \(items.count - listed) more" : shown
    }

    private func database(of program: (some DatabaseProgram).Type) async -> [Finding] {
        let closed = try? program.database()
        let file = closed?.driver as? any SQLFileDriver
        if let closed, let file, file.path == nil || file.isMissing {
            let opened = await Finding("database") {
                guard let path = file.path else { return "in memory" }
                try file.checkCreation()
                return "\(path) does not exist yet; serve creates it"
            }
            let migrations = await Finding("migrations") {
                try Migrator(closed, program.migrations).check()
                return nil
            }
            return [opened, migrations] + (deep ? [Finding(name: "database contents", state: .skipped)] : [])
        }
        var findings: [Finding] = []
        let opened = await Finding("database") {
            // First, since who may only read makes files beside it that nobody may write.
            try file?.checkWriting()
            try await program.withDatabase(.reading) { database in
                try await database.ping()
                findings.append(await Finding("migrations") { try await migrations(database, of: program) })
                if deep { findings.append(await Finding("database contents") { try await contents(database) }) }
                try await checkWriting(database)
            }
            return "responds"
        }
        return [opened] + findings
    }

    /// - Throws: `DatabaseError` for a PostgreSQL server that lets new sessions only read, as some do with a full disk.
    private func checkWriting(_ database: Database) async throws {
        guard database.dialect == .postgresql,
            try await database.first("SELECT current_setting('transaction_read_only')", as: String.self) == "on"
        else { return }
        throw DatabaseError.readOnly("default_transaction_read_only is on, or the server is a copy of another one.")
    }

    private func migrations(_ database: Database, of program: (some DatabaseProgram).Type) async throws -> String {
        let migrator = Migrator(database, program.migrations)
        let missing: [String]
        do {
            missing = try await migrator.missing()
        } catch let error as DatabaseError { throw MigrationError.advising(error) }
        do {
            _ = try await migrator.status()
        } catch let error as MigrationError where error.isUnknown && missing.isEmpty {
            return "all applied. \(error)"
        }
        if missing.isEmpty { return "all applied" }
        let names = missing.joined(separator: ", ")
        guard try program.migratesAtStart() else {
            throw StartError.configuration("not applied: \(names); run \(Site.name) migrate.")
        }
        return "serve applies \(names)"
    }

    private func contents(_ database: Database) async throws -> String? {
        guard let driver = database.driver as? any SQLFileDriver else { return nil }
        let faults = try await driver.check()
        guard faults.isEmpty else { throw StartError.configuration(faults.joined(separator: "; ")) }
        return "nothing is wrong"
    }
}

/// The result of one check of `check`.
private struct Finding: Encodable {
    enum State: String, Encodable { case ok, failed, skipped }

    let name: String
    let state: State
    var details = ""

    init(name: String, state: State, details: String = "") {
        (self.name, self.state, self.details) = (name, state, details)
    }

    /// Runs a check, whose result are details, or nil if there is nothing to check.
    init(_ name: String, _ body: () async throws -> String?) async {
        do {
            guard let details = try await body() else {
                self.init(name: name, state: .skipped)
                return
            }
            self.init(name: name, state: .ok, details: details)
        } catch {
            self.init(name: name, state: .failed, details: "\(error)")
        }
    }
}

/// A program's own check of something that it needs to start, for the command `check`.
///
///     static func startChecks() throws -> [StartCheck] { [.folder("data folder", try Settings().dataFolder)] }
public struct StartCheck: Sendable {
    let name: String
    let body: @Sendable () async throws -> String?

    /// Creates a check.
    /// - Parameters:
    ///   - name: The name in the list.
    ///   - body: Changes nothing, and returns details for the list, or nil if there is nothing to check. It throws if
    ///     the program could not start.
    public init(_ name: String, _ body: @escaping @Sendable () async throws -> String?) {
        self.name = name
        self.body = body
    }

    /// Returns a check that files can be written in a folder, or that the folder can be created, as at a start.
    public static func folder(_ name: String, _ path: String) -> StartCheck {
        StartCheck(name) {
            if access(path, F_OK) == 0 {
                guard access(path, W_OK | X_OK) == 0 else {
                    throw StartError.configuration("\(path) cannot be written: \(String(cString: strerror(errno))).")
                }
                return path
            }
            let name = path.utf8.reversed().drop { $0 == UInt8(ascii: "/") }
            let rest = name.firstIndex(of: UInt8(ascii: "/")).map { path[..<$0.base] } ?? "./"
            let parent = rest.utf8.count > 1 ? String(rest.dropLast()) : "/"
            guard access(parent, W_OK | X_OK) == 0 else {
                throw StartError.configuration("\(path) does not exist, and cannot be made in \(parent).")
            }
            return "\(path), which serve makes"
        }
    }
}

/// `config`
struct ConfigCommand<Site: SiteProgram>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "config",
            abstract: "Print the settings in force, and where each comes from.",
            discussion: """
                A setting comes from the environment, in development from the file .env, or is the default. Secrets \
                are masked. If a value cannot be used, the command says so after the list, and exits with 78. Names \
                that may be misspelt settings are warnings on standard error.
                """
        )
    }

    @Flag(help: "Print an array of objects with name, value and origin.") var json = false

    func run() throws {
        let reader = SettingsReader(of: Site.self)
        if json {
            print(try JSONCoder.printed(reader.entries))
        } else {
            print(TextTable(reader.entries.map { [$0.name, $0.value, $0.origin.rawValue] }).text)
        }
        for remark in reader.remarks { Logger.current(or: "roost").warning("\(remark.sentence)") }
        try reader.check()
    }
}
