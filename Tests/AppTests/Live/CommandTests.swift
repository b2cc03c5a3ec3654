import FoundationEssentials
import Glibc
import Processes
import Roost
import RoostTesting
import Testing

/// The commands of the site's own binary.
@Suite("Commands", .quietLog, .timeLimit(.minutes(10)))
struct CommandTests {
    /// A new folder, which goes away with the test.
    private final class Folder: Sendable {
        let path: String

        init() throws {
            var name = Array("/tmp/roost-commands-XXXXXX".utf8CString)
            path = try #require(mkdtemp(&name).map { String(cString: $0) })
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    @Test func `config says what is in force and where it comes from, without secrets`() async throws {
        let key = String(repeating: "k", count: 32)
        let variables = ["SECRET_KEY": key, "DATABASE_URL": "postgres://ann:pass@127.0.0.1:1/site"]
        let (output, code) = try await SiteProcess.fail(variables, ["config"])
        #expect(code == "0")
        let rows = output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(rows.contains(["PORT", "0", "environment"]))
        #expect(rows.contains(["HEAD_TIMEOUT", "10", "default"]))
        #expect(rows.contains(["SECRET_KEY", "********", "environment"]))
        #expect(rows.contains(["DATABASE_URL", "postgres://ann:********@127.0.0.1:1/site", "environment"]))
        #expect(!output.contains(key))
    }

    @Test func `config has a form for programs`() async throws {
        let (output, code) = try await SiteProcess.fail([:], ["config", "--json"])
        #expect(code == "0")
        let entries = try JSONCoder().decode([SettingsReader.Entry].self, from: Array(output.utf8))
        #expect(entries.contains { $0.name == "DATABASE_URL" && $0.value == "memory:" && $0.origin == .environment })
    }

    @Test func `a site on the internet is one of production, whatever .env says`() async throws {
        let folder = try Folder()
        try "ROOST_ENV=development\nPASSWORD_PASSES=3\n".write(
            toFile: folder.path + "/.env", atomically: true, encoding: .utf8)
        func entries(_ variables: [String: String]) async throws -> [SettingsReader.Entry] {
            let (output, code) = try await SiteProcess.fail(
                variables, ["config", "--json"], under: ["env", "-C", folder.path])
            #expect(code == "0", "\(output)")
            return try JSONCoder().decode([SettingsReader.Entry].self, from: Array(output.utf8))
        }
        let open = try await entries(["TLS": "auto", "HOST_NAMES": "a.example"])
        #expect(open.contains { $0.name == "ROOST_ENV" && $0.value == "production" && $0.origin == .default })
        #expect(!open.contains { $0.origin == .file })
        let own = try await entries([:])
        #expect(own.filter { $0.origin == .file }.map(\.name).sorted() == ["PASSWORD_PASSES", "ROOST_ENV"])
    }

    @Test(arguments: [["check"], ["config"]])
    func `names that may be misspelt are told, and are no fault`(arguments: [String]) async throws {
        let folder = try Folder()
        try "MAILSERVERS=x\n".write(toFile: folder.path + "/.env", atomically: true, encoding: .utf8)
        let variables = ["TRUSTED_PROXY": "loopback"]
        let (output, code) = try await SiteProcess.fail(variables, arguments, under: ["env", "-C", folder.path])
        #expect(code == "0", "\(output)")
        for sentence in [
            "TRUSTED_PROXY is not a setting; did you mean TRUSTED_PROXIES?",
            "MAILSERVERS in .env is none of the settings that config lists.",
        ] {
            #expect(output.contains(sentence), "\(output)")
        }
    }

    @Test(arguments: [[], ["check"], ["config"], ["routes"]])
    func `wrong settings are named together, each in a sentence`(arguments: [String]) async throws {
        let variables = ["WORKERS": "0", "PATTERNS": "perhaps", "PASSWORD_PASSES": "1", "ROOST_ENVV": "production"]
        let (output, code) = try await SiteProcess.fail(variables, arguments)
        #expect(code == (arguments == ["check"] ? "1" : "78"))
        for sentence in [
            "WORKERS is \"0\"; set it to a whole number from 1 to 1024.",
            "PATTERNS is \"perhaps\"; set it to on or off.",
            "PASSWORD_PASSES is \"1\"; set it to a whole number from 2 to 100.",
            "ROOST_ENVV is not a setting; did you mean ROOST_ENV?",
        ] {
            #expect(output.contains(sentence), "\(output)")
        }
    }

    @Test func `check finds what would stop a start`() async throws {
        let (fine, success) = try await SiteProcess.fail([:], ["check"])
        #expect(success == "0", "\(fine)")
        let (output, code) = try await SiteProcess.fail(
            ["DATABASE_URL": "sqlite:x", "DATA_DIR": "/proc/none/data", "ROOT": "/nonexistent"], ["check"])
        #expect(code == "1")
        #expect(output.contains("/nonexistent/Templates"))
        #expect(output.contains("/proc/none/data does not exist, and cannot be made"))
    }

    @Test func `check tells what a start warns of`() async throws {
        let variables = ["WEBHOOK_SECRET": "x", "ADMIN_HOST": "0.0.0.0", "ADMIN_PORT": "0"]
        let (output, code) = try await SiteProcess.fail(variables, ["check"])
        #expect(code == "0", "\(output)")
        for warning in ["WEBHOOK_SECRET is set, but", "ADMIN_HOST is 0.0.0.0: "] {
            #expect(output.contains(warning), "\(output)")
        }
    }

    @Test func `check asks for no folder that nothing is written to`() async throws {
        let variables = [
            "DATABASE_URL": "postgres://127.0.0.1:1/x", "DATA_DIR": "/proc/none/data",
            "FILES_URL": "s3://key:secret@pictures?endpoint=http://127.0.0.1:1",
        ]
        let (output, code) = try await SiteProcess.fail(variables, ["check"])
        #expect(code == "1" && output.contains("s3://pictures/ cannot be reached"), "\(output)")
        #expect(!output.contains("/proc/none/data"), "\(output)")
    }

    @Test(arguments: ["check", "config"])
    func `a sender of mails without an address is a setting that cannot be used`(command: String) async throws {
        let (output, code) = try await SiteProcess.fail(["MAIL_FROM": "Nest nest@example.org"], [command])
        #expect(code == (command == "check" ? "1" : "78"))
        #expect(output.contains("MAIL_FROM is \"Nest nest@example.org\"; set it to an email address"), "\(output)")
    }

    @Test(arguments: [
        (
            ["TLS_PORT": "0", "TLS_CERTIFICATE": "/nowhere.pem", "TLS_KEY": "/nowhere.pem"],
            "is /nowhere.pem: No such file or directory"
        ),
        (["FILES_URL": "s3://key:secret@pictures?endpoint=http://127.0.0.1:1"], "s3://pictures/ cannot be reached"),
        (["TMPDIR": "/proc/none"], "No temporary file can be made in /proc/none (No such file or directory)"),
    ])
    func `check asks for what a service needs`(variables: [String: String], sentence: String) async throws {
        let (output, code) = try await SiteProcess.fail(variables, ["check"])
        #expect(code == "1" && output.contains(sentence), "\(output)")
    }

    @Test(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"))
    func `check tells of a server that only reads`() async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        for (setting, isTold) in [("on", true), ("off", false)] {
            let options = "?options=-c%20default_transaction_read_only%3D\(setting)"
            let (output, code) = try await SiteProcess.fail(["DATABASE_URL": url + options], ["check"])
            #expect(code == "1" || !isTold)
            #expect(output.contains("The database can only be read") == isTold, "\(output)")
        }
    }

    @Test func `the data folder is made with the database, and not by looking at it`() async throws {
        let folder = try Folder()
        func isMade(by arguments: String..., data: String) async throws -> Bool {
            let variables = ["DATABASE_URL": "sqlite:site.sqlite", "DATA_DIR": folder.path + data]
            let (output, code) = try await SiteProcess.fail(variables, arguments)
            #expect(code == "0", "\(output)")
            return FileManager.default.fileExists(atPath: folder.path + data)
        }
        #expect(try await !isMade(by: "check", data: "/first"))
        #expect(try await !isMade(by: "routes", data: "/first"))
        #expect(try await isMade(by: "migrate", data: "/first"))
        let copy = folder.path + "/copy.sqlite"
        #expect(try await isMade(by: "backup", copy, data: "/first"))
        #expect(try await isMade(by: "restore", copy, data: "/second"))
    }

    @Test func `a backup is a database that a site can be served from`() async throws {
        let folder = try Folder()
        let site = ["DATABASE_URL": "sqlite:\(folder.path)/site.sqlite"]
        #expect(try await SiteProcess.fail(site, ["migrate"]).code == "0")
        let copy = folder.path + "/copy.sqlite"
        #expect(try await SiteProcess.fail(site, ["backup", copy]).code == "0")
        let again = try await SiteProcess.fail(site, ["backup", copy])
        #expect(again.code != "0" && again.output.contains("exists; name a new file"))
        let nowhere = try await SiteProcess.fail(site, ["backup", folder.path + "/none/copy.sqlite"])
        #expect(
            nowhere.code != "0"
                && nowhere.output.hasSuffix("/none/copy.sqlite cannot be created: No such file or directory."))
        let restored = ["DATABASE_URL": "sqlite:\(copy)", "MIGRATE": "0"]
        let (output, code) = try await SiteProcess.fail(restored, ["check", "--deep"])
        #expect(code == "0" && output.contains("all applied") && output.contains("nothing is wrong"), "\(output)")
        let process = try await SiteProcess.start(restored)
        let users = try await WireClient(port: process.port).get("/users")
        #expect(users.status == .ok && users.text.contains("Nelson"))
        let ready = try await WireClient(port: process.port).get("/health/ready")
        // The body in docs/operations.md.
        #expect(
            ready.text == #"{"checks":{"database":"ok","disk":"ok","jobs":"ok","migrations":"ok"},"status":"ready"}"#)
        #expect(ready.status == .ok)
        #expect(try await process.terminate() == "0")
    }

    @Test func `after kill -9, a check changes nothing, and a restore brings back exactly the backup`() async throws {
        let folder = try Folder()
        let path = folder.path + "/site.sqlite", copy = folder.path + "/copy.sqlite"
        let variables = ["DATABASE_URL": "sqlite:\(path)"]
        let site = try await SiteProcess.start(variables, under: SiteProcess.quiet)
        let member = try await Member(site)
        #expect(try await member.add("Ada").status == .created)
        #expect(try await SiteProcess.fail(variables, ["backup", copy]).code == "0")
        for number in 0..<100 { #expect(try await member.add("late \(number)").status == .created) }
        let refused = try await SiteProcess.fail(variables, ["restore", copy])
        #expect(refused.code == "69" && refused.output.contains("a program uses \(path): stop the site"), "\(refused)")
        site.signal(SIGKILL)
        #expect(try await site.exitCode() == "137")

        let files = [path, path + "-wal"]
        let before = files.map { FileManager.default.contents(atPath: $0) }
        #expect(try await SiteProcess.fail(variables, ["check", "--deep"]).code == "0")
        #expect(files.map { FileManager.default.contents(atPath: $0) } == before)

        let restored = try await SiteProcess.fail(variables, ["restore", copy])
        #expect(restored.code == "0" && restored.output.contains("The database of before is \(path).before-"))
        #expect(restored.output.contains("The database \(path) has been restored from \(copy)."))
        let (found, code) = try await SiteProcess.fail(variables, ["check", "--deep"])
        #expect(code == "0" && found.contains("nothing is wrong"), "\(found)")
        let again = try await SiteProcess.start(variables, under: SiteProcess.quiet)
        #expect(try await WireClient(port: again.port).userNames() == ["Nelson", "Cathy", "Ada"])
        #expect(try await again.terminate() == "0")
    }

    @Test func `a site that is told to end serves on for a while, and says that it is not ready`() async throws {
        let site = try await SiteProcess.start(["DRAIN_DELAY": "3600"])
        let client = WireClient(port: site.port)
        #expect(try await client.get("/health/ready").status == .ok)
        site.signal(SIGTERM)
        while try await client.get("/health/ready").status == .ok {}
        #expect(try await client.get("/health/ready").text == #"{"checks":{},"status":"draining"}"#)
        #expect(try await client.get("/health/live").status == .ok)
        #expect(try await client.get("/users").status == .ok)
        site.signal(SIGTERM)
        #expect(try await site.exitCode() == "143")
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `shells can complete the commands`(shell: String) async throws {
        let (output, code) = try await SiteProcess.fail([:], ["--generate-completion-script", shell])
        #expect(code == "0")
        let mistyped = try await SiteProcess.fail([:], ["serv"])
        #expect(mistyped.code == "64" && mistyped.output.contains("App --help lists all commands."))
        for command in ["serve", "check", "config", "health", "backup", "restore"] { #expect(output.contains(command)) }
    }

    @Test func `a site with an admin port shows its metrics there`() async throws {
        let free = try FreePort.next()
        let site = try await SiteProcess.start(["ADMIN_PORT": "\(free)", "DATABASE_URL": "sqlite::memory:"])
        _ = try await WireClient(port: site.port).get("/users")
        let text = try await WireClient(port: free).get("/metrics").text
        let request = #"{http_request_method="GET",http_response_status_code="200",http_route="/users"}"#
        #expect(text.contains("http_server_request_duration_seconds_count\(request) 1"))
        let database = #"{db_namespace="main",db_system_name="sqlite"}"#
        #expect(text.contains("db_client_operation_duration_seconds_count\(database)"))
        #expect(try await site.terminate() == "0")
    }
}
