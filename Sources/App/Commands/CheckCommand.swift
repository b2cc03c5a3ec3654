import ArgumentParser
import Glibc
import Logging
import Roost
import RoostSQL
import RoostSQLite

/// `App check`
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check everything that serve needs before it listens; exit 0 if it would start.",
        discussion: """
            It reads the settings, templates and routes, opens the database, looks for migrations that have not been \
            applied, and tries whether DATA_DIR can be written. It changes nothing: a missing SQLite file is fine, \
            because serve creates it.
            """
    )

    @Flag(help: "Also read the whole SQLite database and check it; this takes as long as the database is large.")
    var deep = false
    @Flag(help: "Print an array of objects with name, state (ok, failed or skipped) and details.") var json = false

    func run() async throws {
        let findings = try await Findings.all(deep: deep)
        if json {
            print(String(decoding: try JSONCoder(layout: .pretty).encode(findings), as: UTF8.self))
        } else {
            print(TextTable(findings.map { [$0.name, $0.state.rawValue, $0.details] }).text)
        }
        guard findings.allSatisfy({ $0.state != .failed }) else { throw ExitCode(1) }
    }
}

/// The result of one check of `App check`.
struct Finding: Encodable {
    enum State: String, Encodable { case ok, failed, skipped }

    let name: String
    let state: State
    var details = ""
}

/// The checks of `App check`, in the order in which a start would fail.
private enum Findings {
    static func all(deep: Bool) async throws -> [Finding] {
        let settings: Settings
        do {
            settings = try Settings()
        } catch {
            return "\(error)".split(separator: "\n")
                .map { Finding(name: "settings", state: .failed, details: String($0)) }
        }
        var findings = [Finding(name: "settings", state: .ok)]
        findings.append(
            await finding("routes and templates") { "\(try makeApp(settings, logger: quiet).routes.count) routes" })
        findings.append(await finding("data folder") { try folder(settings) })
        findings += await database(settings, deep: deep)
        return findings
    }

    private static var quiet: Logger {
        var logger = Logger(label: "app")
        logger.logLevel = .critical
        return logger
    }

    private static func finding(_ name: String, _ body: () async throws -> String?) async -> Finding {
        do {
            guard let details = try await body() else { return Finding(name: name, state: .skipped) }
            return Finding(name: name, state: .ok, details: details)
        } catch {
            return Finding(name: name, state: .failed, details: "\(error)")
        }
    }

    /// The folder can be written, or made.
    private static func folder(_ settings: Settings) throws -> String? {
        guard settings.database != nil else { return nil }
        let folder = settings.dataFolder
        if access(folder, F_OK) == 0 {
            guard access(folder, W_OK | X_OK) == 0 else {
                throw StartError.configuration("\(folder) cannot be written: \(String(cString: strerror(errno))).")
            }
            return folder
        }
        let parent = folder.contains("/") ? String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]) : "."
        guard access(parent.isEmpty ? "/" : parent, W_OK | X_OK) == 0 else {
            throw StartError.configuration("\(folder) does not exist, and cannot be made in \(parent).")
        }
        return "\(folder), which serve makes"
    }

    private static func database(_ settings: Settings, deep: Bool) async -> [Finding] {
        let names = ["database", "migrations"] + (deep ? ["database contents"] : [])
        guard let url = settings.database else { return names.map { Finding(name: $0, state: .skipped) } }
        if case .sqlite(let path) = url,
            path == ":memory:" || access(path, F_OK) != 0 && !SQLiteRestore.wasInterrupted(path)
        {
            let details = "\(path) does not exist yet; serve creates it"
            return [Finding(name: "database", state: .ok, details: details)]
                + names.dropFirst().map { Finding(name: $0, state: .skipped) }
        }
        var findings: [Finding] = []
        let opened = await finding("database") {
            try await CommandDatabase.open(.reading) { database in
                try await database.ping()
                findings.append(await finding("migrations") { try await migrations(database, settings) })
                if deep { findings.append(await finding("database contents") { try await contents(database) }) }
            }
            return "responds"
        }
        return [opened] + findings
    }

    private static func migrations(_ database: Database, _ settings: Settings) async throws -> String {
        let missing = try await Migrator(database, Migrations.all).status().filter { $0.appliedAt == nil }.map(\.name)
        if missing.isEmpty { return "all applied" }
        let names = missing.joined(separator: ", ")
        guard settings.migrates else {
            throw StartError.configuration("not applied: \(names); run App migrate, or set MIGRATE=1.")
        }
        return "serve applies \(names)"
    }

    private static func contents(_ database: Database) async throws -> String? {
        guard let driver = database.driver as? SQLiteDriver else { return nil }
        let faults = try await driver.check()
        guard faults.isEmpty else { throw StartError.configuration(faults.joined(separator: "; ")) }
        return "nothing is wrong"
    }
}
