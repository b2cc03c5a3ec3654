import FoundationEssentials
import RoostSQL
import RoostTesting
import Testing

@testable import App
@testable import Roost

@Suite("Settings of the site", .timeLimit(.minutes(5)))
struct SettingsTests {
    @Test func `nothing set is a development site on this machine's port 3000`() throws {
        let settings = try Settings([:])
        #expect(settings.environment == .development)
        #expect(settings.server.host == "127.0.0.1")
        #expect(settings.server.port == 3000)
        #expect(settings.server.workers >= 1)
        #expect(settings.root == ".")
        #expect(settings.database == .sqlite(path: ".data/roost.sqlite"))
    }

    @Test func `what the example sets is the default`() throws {
        let example = try String(contentsOfFile: Site.root + "/.env.example", encoding: .utf8)
        let pairs = example.split(separator: "\n").filter { !$0.hasPrefix("# ") }.compactMap { line in
            line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
        }
        let all = Dictionary(uniqueKeysWithValues: pairs)
        let settings = try Settings(all.filter { !$0.key.hasPrefix("#") })
        let defaults = try Settings([:])
        #expect(settings.environment == defaults.environment)
        #expect(settings.root == defaults.root)
        #expect(settings.database == defaults.database)
        #expect(settings.server.host == defaults.server.host)
        #expect(settings.server.port == defaults.server.port)
        #expect(all["#DATABASE_CONNECTIONS"] == "\(defaults.databaseConnections)")
        #expect(all["#SESSION_IDLE_TIMEOUT"] == "\(defaults.sessionIdleTimeout.components.seconds)")
        #expect(all["#SESSION_LIFETIME"] == "\(defaults.sessionLifetime.components.seconds)")
        #expect(all["#PASSWORD_MEMORY"] == "\(defaults.passwordMemory)")
        #expect(all["#PASSWORD_PASSES"] == "\(defaults.passwordPasses)")
        #expect(all["#LOGIN_THROTTLE"] == "on" && defaults.throttlesSignIns)
        #expect(all["#SECRET_KEY"] == "" && defaults.signingKey == nil)
    }

    @Test(arguments: [
        (["DATA_DIR": "/data"], DatabaseURL.sqlite(path: "/data/roost.sqlite")),
        (["DATA_DIR": "/data", "DATABASE_URL": "sqlite:x"], .sqlite(path: "/data/x")),
        (["DATABASE_URL": "sqlite:/srv/x"], .sqlite(path: "/srv/x")),
        (["DATABASE_URL": "memory:"], .sqlite(path: ":memory:")),
        (["DATABASE_URL": "", "DATA_DIR": ""], .sqlite(path: ".data/roost.sqlite")),
        (["DATABASE_URL": "postgres://db/site"], .postgresql("postgres://db/site")),
    ])
    func `the location of the data`(variables: [String: String], url: DatabaseURL) throws {
        #expect(try Settings(variables).database == url)
    }

    @Test func `each variable is used`() throws {
        let settings = try Settings([
            "HOST": "0.0.0.0", "PORT": "8080", "WORKERS": "3", "ROOST_ENV": "production", "ROOT": "/srv",
            "PUBLIC_URL": "https://example.com", "SESSION_IDLE_TIMEOUT": "7", "SESSION_LIFETIME": "8",
            "PASSWORD_MEMORY": "64", "PASSWORD_PASSES": "3", "SECRET_KEY": String(repeating: "k", count: 32),
        ])
        #expect(settings.sessionIdleTimeout == .seconds(7))
        #expect(settings.sessionLifetime == .seconds(8))
        #expect(settings.passwordMemory == 64)
        #expect(settings.passwordPasses == 3)
        #expect(settings.signingKey != nil)
        #expect(try !Settings(["LOGIN_THROTTLE": "off"]).throttlesSignIns)
        #expect(settings.environment == .production)
        #expect(settings.server.host == "0.0.0.0")
        #expect(settings.server.port == 8080)
        #expect(settings.server.workers == 3)
        #expect(settings.root == "/srv")
        #expect(settings.isHTTPS)
    }

    @Test(arguments: [
        (nil, false), ("", false), ("https://example.com", true), ("https://localhost:8443/", true),
        ("http://example.com", false), ("http://localhost", false), ("http://https.example.com", false),
    ])
    func `browsers reach the site over HTTPS when PUBLIC_URL says so`(url: String?, isHTTPS: Bool) throws {
        #expect(try Settings(url.map { ["PUBLIC_URL": $0] } ?? [:]).isHTTPS == isHTTPS)
    }

    @Test(
        arguments: [
            ([:], nil, "localhost:3000"),
            (["PORT": "8080"], nil, "localhost:8080"),
            (["PORT": "0"], nil, "localhost"),
            (["PORT": "0"], 41_234, "localhost:41234"),
            (["PORT": "3000"], 41_234, "localhost:41234"),
            (["PORT": "0", "PUBLIC_URL": "https://example.com/"], 41_234, "https://example.com"),
        ] as [([String: String], Int?, String)])
    func `the URL to type is the public one, or has the port that the site listens on`(
        variables: [String: String],
        port: Int?,
        url: String
    ) throws {
        #expect(try Settings(variables).siteURL(port: port) == url)
    }

    @Test(arguments: [
        (["PORT": "http"], "PORT is \"http\"; set it to a whole number from 0 to 65535."),
        (["PORT": "65536"], "PORT is \"65536\"; set it to a whole number from 0 to 65535."),
        (["WORKERS": "0"], "WORKERS is \"0\"; set it to a whole number from 1 to 1024."),
        (["ROOST_ENV": "testing"], "ROOST_ENV is \"testing\"; set it to development or production."),
        (
            ["DATABASE_URL": "users.sqlite"],
            "DATABASE_URL has no scheme; set it to sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME."
        ),
        (["PASSWORD_MEMORY": "18"], "PASSWORD_MEMORY is \"18\"; set it to a whole number from 19 to 4096."),
        (["LOGIN_THROTTLE": "no"], "LOGIN_THROTTLE is \"no\"; set it to on or off."),
        (
            ["LOGIN_THROTTLE": "off", "ROOST_ENV": "production"],
            "LOGIN_THROTTLE is off, which is for load tests; remove it in production."
        ),
        (["SECRET_KEY": "short"], "SECRET_KEY has 5 bytes; use at least 32, as `openssl rand -base64 32` prints."),
        (["PUBLIC_URL": "example.com"], "PUBLIC_URL is \"example.com\"; begin it with https:// or http://."),
        (
            ["PUBLIC_URL": "https://ann:secret@example.com"],
            "PUBLIC_URL is not usable; set it to a scheme, a host and no more, as in https://example.com: no user, "
                + "path or query."
        ),
        (
            ["HOST": "unix:site.sock"],
            "HOST is \"unix:site.sock\"; write the whole path, from / on and of at most 107 bytes, as in "
                + "unix:/run/roost/site.sock."
        ),
    ])
    func `a bad value is one sentence`(variables: [String: String], message: String) {
        let error = #expect(throws: StartError.self) { try Settings(variables) }
        #expect(error?.description == message)
    }

    @Test(arguments: [
        ["SECRET_KEY": String(repeating: "a", count: 44)], ["TRUSTED_PROXIES": "0.0.0.0/0"],
        ["ADMIN_HOST": "0.0.0.0", "ADMIN_PORT": "0"], ["HOST": "unix:/run/site.sock"],
    ])
    func `what is dangerous is a warning, which names the variable`(variables: [String: String]) async throws {
        let log = LogLines()
        let settings = try Settings(variables)
        settings.warn(log.logger)
        let name = variables.keys.sorted().first ?? ""
        #expect((log.all + settings.server.warnings).contains { $0.contains(name) }, "\(log.all)")
        let quiet = LogLines()
        try Settings([
            "SECRET_KEY": "0123456789abcdef0123456789abcdef", "TRUSTED_PROXIES": "10.0.0.0/8,fc00::/7,loopback",
            "ADMIN_PORT": "9100",
        ]).warn(quiet.logger)
        #expect(quiet.all.isEmpty, "\(quiet.all)")
    }

    @Test(arguments: [
        ([:], true), (["FILES_URL": files], true), (["DATABASE_URL": server], true),
        (["DATABASE_URL": "memory:"], false),
        (["DATABASE_URL": server, "FILES_URL": files], false),
    ])
    func `the disk is watched where pictures or the database are on it`(variables: [String: String], isWatched: Bool)
        throws
    {
        let folder = PictureFolder(try Settings(variables))
        #expect(folder.healthChecks.map(\.name) == (isWatched ? ["disk"] : []))
    }

    @Test func `the disk of the database's file is watched where nothing else is on a disk`() async throws {
        let variables = ["DATABASE_URL": "sqlite:/tmp/x", "FILES_URL": Self.files, "DATA_DIR": "/proc/none/data"]
        let checks = PictureFolder(try Settings(variables)).healthChecks
        #expect(checks.count == 1)
        for check in checks {
            do {
                try await check.body()
            } catch let failure as HealthFailure {
                // A full disk is no mistake of this test.
                #expect(failure.description.hasPrefix("/tmp/ has "))
            }
        }
    }

    @Test(
        arguments: [
            ([:], "/data"), (["DATABASE_URL": "sqlite:/srv/x"], "/data"), (["DATABASE_URL": server], "/data"),
            (["DATABASE_URL": "memory:"], nil), (["DATABASE_URL": "memory:", "FILES_URL": files], nil),
            (["DATABASE_URL": server, "FILES_URL": files], nil),
            (["FILES_URL": files], "/data/"), (["DATABASE_URL": "sqlite:/srv/x", "FILES_URL": files], "/srv/"),
            (["DATABASE_URL": "sqlite:/x", "FILES_URL": files], "/"),
            (["TLS": "auto", "HOST_NAMES": "a.example", "DATABASE_URL": "sqlite:/srv/x", "FILES_URL": files], "/data"),
            (["TLS": "auto", "HOST_NAMES": "a.example", "DATABASE_URL": "memory:"], "/data"),
            (["TLS": "auto", "HOST_NAMES": "a.example", "DATABASE_URL": server, "FILES_URL": files], nil),
        ] as [([String: String], String?)])
    func `the folder that the site writes to`(variables: [String: String], folder: String?) throws {
        let settings = try Settings(variables.merging(["DATA_DIR": "/data"]) { $1 })
        #expect(settings.writtenFolder == folder)
    }

    private static let files = "s3://key:secret@pictures?endpoint=http://localhost:1"
    private static let server = "postgres://localhost/site"

    @Test(arguments: [
        (["FILES_URL": "nests"], "FILES_URL does not begin with s3://; set it to s3://BUCKET/PREFIX"),
        (["FILES_URL": "s3://nests"], "FILES_URL is a bucket of S3, but there are no credentials for it: set AWS_"),
        (
            ["WEBHOOK_URL": "https://example.org/hook", "WEBHOOK_SECRET": "abc"],
            "WEBHOOK_SECRET has the wrong form; set it to what `echo whsec_$(openssl rand -base64 32)` prints."
        ),
    ])
    func `an error about a secret begins with the setting`(variables: [String: String], beginning: String) {
        let error = #expect(throws: StartError.self) { try Settings(variables) }
        #expect(error?.description.hasPrefix(beginning) == true, "\(error)")
    }

    @Test func `a secret for webhooks that nobody gets is a warning`() throws {
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        let alone = try Settings(["WEBHOOK_SECRET": secret]).warnings
        #expect(alone == ["WEBHOOK_SECRET is set, but WEBHOOK_URL is not: no program is told about changes."])
        #expect(try Settings(["WEBHOOK_SECRET": secret, "WEBHOOK_URL": "https://example.org/hook"]).warnings == [])
    }

    @Test func `the error about a root without templates names the setting`() throws {
        let settings = try Settings(["DATABASE_URL": "memory:", "ROOT": "/nonexistent"])
        let error = #expect(throws: StartError.self) { try makeApp(settings) }
        let end = "create it or correct the path. ROOT, the folder of Templates and public, is \"/nonexistent\"."
        #expect(error?.description.hasSuffix(end) == true, "\(error)")
    }

    @Test func `a root without templates or files stops the start`() throws {
        var settings = try Settings([:])
        settings.root = "/nonexistent"
        #expect(throws: (any Error).self) { try makeApp(settings) }
    }
}
