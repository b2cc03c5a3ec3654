import Glibc
import Testing

@testable import Roost

struct ShopSettings {
    let server: ServerConfiguration
    let zone: ZoneInfo
    let pictureLimit: Int
    let mailKey: String?

    init(_ variables: [String: String] = ProcessEnvironment.variables) throws {
        var reader = SettingsReader(variables)
        self.init(reading: &reader)
        try reader.check()
    }

    init(reading reader: inout SettingsReader) {
        _ = Environment(reading: &reader)
        LogFormat.read(&reader)
        server = ServerConfiguration(reading: &reader)
        let zone = reader.read("TIME_ZONE", default: "UTC") { variables throws(StartError) in
            try ZoneInfo(environment: variables)
        }
        self.zone = zone ?? .utc
        pictureLimit = reader.read(Setting<Int>("PICTURE_LIMIT", default: 5, in: 1...100))
        mailKey = reader.read(Setting<String?>("MAIL_KEY", default: nil, isSecret: true))
    }
}

@Suite("Settings", .timeLimit(.minutes(5)))
struct SettingsReaderTests {
    private enum Color: String, CaseIterable, Sendable { case red, green, blue }

    @Test func `each type has its texts`() throws {
        var reader = SettingsReader(
            ["N": "7", "T": "hello", "B": "on", "D": "90", "L": "a, b", "E": "blue", "EMPTY": ""], file: [])
        let numbers = [reader.read(Setting<Int>("N", default: 1)), reader.read(Setting<Int>("EMPTY", default: 1))]
        let texts = [reader.read(Setting("T", default: "x")), reader.read(Setting<String?>("NONE"))]
        let isOn = reader.read(Setting("B", default: false))
        let time = reader.read(Setting("D", default: .seconds(1)))
        let list = reader.read(Setting<[String]>("L"))
        let color = reader.read(Setting("E", default: Color.red))
        #expect(numbers == [7, 1] && texts == ["hello", nil] && isOn)
        #expect(time == .seconds(90) && list == ["a", "b"] && color == .blue)
        try reader.check()
    }

    @Test func `all mistakes are named together, each with what to write`() {
        var reader = SettingsReader(
            ["N": "7", "B": "maybe", "E": "pink", "K": "short", "ROOST_ENVV": "x", "ROOST_PORT": "1", "PORT": "1"],
            file: [])
        let number = reader.read(Setting<Int>("N", default: 1, in: 1...5))
        #expect(number == 1)
        _ = reader.read(Setting("B", default: true))
        _ = reader.read(Setting("E", default: Color.red))
        _ = reader.read(
            Setting("K", default: 0, expectation: "a key", isSecret: true, read: { Int($0) }))
        _ = reader.read(Setting<Int>("PORT", default: 3000))
        let error = #expect(throws: StartError.self) { try reader.check() }
        #expect(
            error?.description.split(separator: "\n") == [
                #"N is "7"; set it to a whole number from 1 to 5."#, #"B is "maybe"; set it to on or off."#,
                #"E is "pink"; set it to red, green or blue."#, "K is not usable; set it to a key.",
                "ROOST_ENVV is not a setting; did you mean ROOST_ENV?",
                "ROOST_PORT is not a setting; did you mean PORT?",
            ])
    }

    @Test func `an unknown name that is like no other is to be removed`() {
        let error = #expect(throws: StartError.self) { try SettingsReader(["ROOST_XYZZY": "1"], file: []).check() }
        #expect(error?.description == "ROOST_XYZZY is not a setting; remove it.")
    }

    @Test func `a name that is nearly a setting is told, and one of a file that nothing has read`() {
        let known = [
            "HOST", "PORT", "HOST_NAMES", "DATABASE_URL", "LOG_LEVEL", "TRUSTED_PROXIES", "ALLOWED_HOSTS",
            "MAX_BODY_SIZE",
        ]
        func remarks(_ names: [String], file: Set<String> = []) -> [String] {
            let variables = Dictionary(uniqueKeysWithValues: (names + ["PORT"]).map { ($0, "1") })
            var reader = SettingsReader(variables, file: file)
            for name in known { _ = reader.read(Setting<String?>(name)) }
            return reader.remarks.map { "\($0.isClose) \($0.sentence)" }
        }
        let misspelt = ["LOGLEVEL", "TRUSTED_PROXY", "ALOWED_HOSTS", "MAX_BODYSIZE"]
        let meant = ["ALLOWED_HOSTS", "LOG_LEVEL", "MAX_BODY_SIZE", "TRUSTED_PROXIES"]
        let sentences = zip(misspelt.sorted(), meant).map { "true \($0) is not a setting; did you mean \($1)?" }
        #expect(remarks(misspelt) == sentences)
        let others = ["HOME", "PATH", "PGHOST", "PWD", "HOSTNAME", "DATABASE_USER", "POTR", "LOGNAME", "ROOST_ENVV"]
        #expect(remarks(others) == [])
        #expect(
            remarks(["POTR", "PGHOST", "HOME"], file: ["POTR", "PGHOST", "PORT"]) == [
                "false PGHOST in .env is none of the settings that config lists.",
                "true POTR is not a setting; did you mean PORT?",
            ])
    }

    @Test func `a name that another reader has read is not told`() {
        let variables = ["FLOCK_NAME": "rooks"]
        #expect(SettingsReader(variables, file: ["FLOCK_NAME"]).remarks.count == 1)
        var other = SettingsReader(variables, file: [])
        _ = other.read(Setting<String?>("FLOCK_NAME"))
        #expect(SettingsReader(variables, file: ["FLOCK_NAME"]).remarks.isEmpty)
    }

    @Test func `what Kubernetes tells of Services named roost and roost-site is no misprint`() throws {
        var variables: [String: String] = [:]
        for service in ["ROOST", "ROOST_SITE"] {
            for end in ["SERVICE_HOST", "SERVICE_PORT", "SERVICE_PORT_HTTP", "PORT", "PORT_80_TCP", "PORT_80_TCP_ADDR"]
            {
                variables["\(service)_\(end)"] = "10.0.0.1"
            }
        }
        try SettingsReader(variables, file: []).check()
        variables["ROOST_ENVV"] = "production"
        let error = #expect(throws: StartError.self) { try SettingsReader(variables, file: []).check() }
        #expect(error?.description == "ROOST_ENVV is not a setting; did you mean ROOST_ENV?")
    }

    @Test func `it tells what is in force, where it comes from, and no secret`() {
        var reader = SettingsReader(
            ["A": "1", "B": "2", "KEY": "hush", "URL": "postgres://ann:pass@host/db?x=1"], file: ["B"])
        _ = reader.read(Setting<Int>("A", default: 0))
        _ = reader.read(Setting<Int>("B", default: 0))
        _ = reader.read(Setting<Int>("C", default: 3))
        _ = reader.read(Setting<String?>("KEY", isSecret: true))
        _ = reader.read(Setting<String?>("OTHER_KEY", isSecret: true))
        _ = reader.read(Setting("URL", default: ""))
        #expect(
            reader.entries == [
                .init(name: "A", value: "1", origin: .environment), .init(name: "B", value: "2", origin: .file),
                .init(name: "C", value: "3", origin: .default),
                .init(name: "KEY", value: "********", origin: .environment),
                .init(name: "OTHER_KEY", value: "", origin: .default),
                .init(name: "URL", value: "postgres://ann:********@host/db?x=1", origin: .environment),
            ])
    }

    @Test func `a file has names, values, quotes and comments`() throws {
        let text = "# all\n\nA=1\n  export B = two words \r\nC=\"quoted # text\"\nD='x'\nE=\nF=a=b\n"
        let variables = try EnvironmentFile.variables(in: text, of: ".env")
        #expect(variables.map(\.name) == ["A", "B", "C", "D", "E", "F"])
        #expect(variables.map(\.value) == ["1", "two words", "quoted # text", "x", "", "a=b"])
    }

    @Test func `a file may begin with a byte order mark`() throws {
        let variables = try EnvironmentFile.variables(in: "\u{FEFF}A=1\nB=2\n", of: ".env")
        #expect(variables.map { "\($0.name)=\($0.value)" } == ["A=1", "B=2"])
    }

    @Test func `of a value in quotes, a comment behind it is no part`() throws {
        let text = "A=\"k#1\" # note\nB='x'\t#'y'\nC=\"{\"a\": 1}\"\nD=\"x\"#\nE=\"\" # none\nF=\"x\nG=\"\nH=\"x\" y\n"
        let variables = try EnvironmentFile.variables(in: text, of: ".env")
        #expect(
            variables.map(\.value) == ["k#1", "x", "{\"a\": 1}", "\"x\"#", "", "\"x", "\"", "\"x\" y"])
    }

    /// As in a shell.
    @Test func `of two lines with one name the last counts`() throws {
        let text = "ROOST_ENV=production\nPORT=3000\nA=1\nPORT=4000\nROOST_ENV=development\n"
        let variables = try EnvironmentFile.variables(in: text, of: ".env")
        #expect(variables.map { "\($0.name)=\($0.value)" } == ["A=1", "PORT=4000", "ROOST_ENV=development"])
    }

    @Test(arguments: [
        ("ann:p@ss@host", "ann:********@host"), ("smtps:ann:pass@host:465", "smtps:********@host:465"),
        ("postgres:/ann:pass@host/db", "postgres:********@host/db"), ("ann:p://ss@host", "ann:********@host"),
        ("host=h password=p dbname=d", "host=h password=********"), ("Password = a://b", "Password =********"),
        ("ann:pass@host/db?password=x", "ann:********@host/db?password=********"),
        ("sqlite:/data/a@b.sqlite", "sqlite:/data/a@b.sqlite"), ("10.0.0.0/8,fe80::/10", "10.0.0.0/8,fe80::/10"),
        ("Site <site@example.com>", "Site <site@example.com>"), ("unix:/run/site.sock", "unix:/run/site.sock"),
        ("a passwords=b passwor", "a passwords=b passwor"), ("password", "password"), ("", ""),
    ])
    func `passwords are masked in what lacks the mark of a URL, too`(text: String, shown: String) {
        var reader = SettingsReader(["URL": text])
        _ = reader.read(Setting("URL", default: ""))
        #expect(reader.entries.map(\.value) == [shown])
    }

    @Test(arguments: [
        (
            "postgres://ann@host/db?password=x&a=b&sslPassword=y",
            "postgres://ann@host/db?password=********&a=b&sslPassword=********"
        ),
        ("postgres://ann:p?ss@host/db?a=b", "postgres://ann:********@host/db?a=b"),
        ("postgres://host/db?user=u", "postgres://host/db?user=u"),
        ("smtps://ann:p/ss@host", "smtps://ann:********@host"),
        ("smtps://ann:p/s?s@host", "smtps://ann:********@host"),
        ("smtps://ann:p@s/s@host:465", "smtps://ann:********@host:465"),
        ("smtps://ann@nest.example:p/ss@host/?a=b@c", "smtps://ann@nest.example:********@host/?a=b@c"),
        ("postgres://ann@host:5432/db?user=a@b", "postgres://ann@host:5432/db?user=a@b"),
        ("https://host/@ann:x", "https://host/@ann:x"),
    ])
    func `passwords in URLs are masked wherever libpq takes them`(url: String, shown: String) {
        var reader = SettingsReader(["URL": url])
        _ = reader.read(Setting("URL", default: ""))
        #expect(reader.entries.map(\.value) == [shown])
    }

    @Test(arguments: ["development", "production"])
    func `only development keeps what has been read, for its window`(environment: String) throws {
        var reader = SettingsReader(["ROOST_ENV": environment], file: [])
        let name = "READER_TEST_\(environment)"
        _ = reader.read(Setting(name, default: 1))
        try reader.check()
        #expect(SettingsReader.checked.contains { $0.name == name } == (environment == "development"))
    }

    @Test(arguments: [true, false])
    func `a file that is there and cannot be read is refused`(isFolder: Bool) throws {
        let path = "/tmp/roost-env-\(getpid())-\(isFolder)"
        #expect(try EnvironmentFile.adding(path, to: [:]).isEmpty)
        #expect((isFolder ? mkdir(path, 0o700) : symlink(path, path)) == 0)
        defer { remove(path) }
        let error = #expect(throws: StartError.self) { try EnvironmentFile.adding(path, to: [:]) }
        #expect(error?.description.hasPrefix("\(path) cannot be read (") == true)
    }

    @Test func `a file that is for production is refused`() {
        let error = #expect(throws: StartError.self) {
            try EnvironmentFile.variables(in: "A=1\nROOST_ENV=production\n", of: ".env")
        }
        #expect(error?.description.hasPrefix(".env says ROOST_ENV=production") == true)
    }

    @Test func `a file that would put the program on the internet is refused, too`() throws {
        let error = #expect(throws: StartError.self) {
            try EnvironmentFile.variables(in: "TLS=auto\nHOST_NAMES=a.example\n", of: ".env")
        }
        #expect(error?.description.hasPrefix(".env says TLS=auto, which means production, but only dev") == true)
        let local = try EnvironmentFile.variables(in: "ROOST_ENV=development\nTLS=auto\n", of: ".env")
        #expect(local.map(\.value) == ["development", "auto"])
    }

    @Test func `a value with a reader of its own is read if it is set`() {
        var reader = SettingsReader(["A": "https://a.example", "B": "", "D": "nonsense"], file: [])
        let urls = ["A", "B", "C", "D"].map { name in
            reader.read(ifSet: name) { url throws(StartError) in try PublicURL(url) }
        }
        #expect(urls.map { $0?.authority } == ["a.example", nil, nil, nil])
        #expect(reader.entries.map(\.value) == ["https://a.example", "", "", "nonsense"])
        let error = #expect(throws: StartError.self) { try reader.check() }
        #expect(error?.description == "PUBLIC_URL is \"nonsense\"; begin it with https:// or http://.")
    }

    @Test(arguments: ["A=1\nnonsense", "A=1\n1A=2", "\n=3", "A=1\nA B=2"])
    func `a line that is none says where`(text: String) {
        let error = #expect(throws: StartError.self) { try EnvironmentFile.variables(in: text, of: ".env") }
        #expect(error?.description == ".env has no variable on line 2; write NAME=value, or # before it.")
    }

    @Test func `the example of the page is compiled, and works`() throws {
        let source = Readme.contents("Tests/RoostTests/Configuration/SettingsReaderTests.swift")
        let blocks = Readme.contents("docs/configuration.md").components(between: "```swift\n", and: "```")
        #expect(blocks.count == 1 && blocks.allSatisfy { source.contains($0) })
        #expect(try ShopSettings([:]).pictureLimit == 5)
        #expect(try ShopSettings(["PICTURE_LIMIT": "7", "MAIL_KEY": "k"]).mailKey == "k")
        #expect(throws: StartError.self) { try ShopSettings(["PICTURE_LIMIT": "0"]) }
        let wrong = ["PICTURE_LIMIT": "0", "TIME_ZONE": "Mars/Base", "PORT": "x"]
        let error = #expect(throws: StartError.self) { try ShopSettings(wrong) }
        #expect(error?.description.split(separator: "\n").count == 3)
    }

    /// Every limit of the server, in one start.
    @Test func `the server's variables are read like all others`() {
        var reader = SettingsReader(["PORT": "x", "WORKERS": "0", "TRUSTED_PROXIES": "nobody"], file: [])
        _ = ServerConfiguration(reading: &reader)
        let error = #expect(throws: StartError.self) { try reader.check() }
        #expect(error?.description.split(separator: "\n").count == 3)
        #expect(reader.entries.contains { $0.name == "HEAD_TIMEOUT" && $0.value == "10" && $0.origin == .default })
        #expect(Set(reader.entries.map(\.name)).count == reader.entries.count)
    }
}
