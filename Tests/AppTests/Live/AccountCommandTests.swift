import FoundationEssentials
import HTTPTypes
import Processes
import RoostAuth
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

/// `App accounts` and `App tokens`, with the site's binary in production.
@Suite("Accounts and tokens on the command line", .quietLog, .timeLimit(.minutes(10)))
struct AccountCommandTests {
    /// A folder for the data, which commands and the site share.
    struct Data {
        let folder: String

        init() throws {
            folder = FileManager.default.temporaryDirectory.path + "/roost-accounts-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }

        var variables: [String: String] {
            ["DATABASE_URL": "sqlite:\(folder)/roost.sqlite", "ROOST_ENV": "production"]
        }

        func remove() { try? FileManager.default.removeItem(atPath: folder) }
    }

    /// Runs a command to its end.
    static func run(_ data: Data, _ arguments: [String], input: String? = nil) async throws
        -> (output: String, code: String)
    {
        let prefix = input.map { ["sh", "-c", "echo '\($0)' | \"$@\"", "sh"] } ?? []
        let (output, code) = try await SiteProcess.fail(data.variables, arguments, under: prefix)
        // On a busy machine, a statement may be slow, which is logged.
        let lines = output.split(separator: "\n").filter { !$0.contains("\"level\":\"warning\"") }
        return (lines.joined(separator: "\n"), code)
    }

    @Test func `an account is added, signs in, gets another password, and is disabled`() async throws {
        let data = try Data()
        defer { data.remove() }
        #expect(try await Self.run(data, ["migrate"]).code == "0")
        let added = try await Self.run(
            data, ["accounts", "add", "ann@example.com", "--password-stdin"], input: "correct horse")
        #expect(added.code == "0")
        #expect(added.output == "ann@example.com can sign in now.")
        // It does not ask for a password first.
        let taken = try await Self.run(data, ["accounts", "add", "ANN@example.com"])
        #expect(taken.code == "78" && taken.output.hasPrefix("There is an account with the address"), "\(taken)")
        #expect(try await Self.run(data, ["accounts", "list"]).output == "ann@example.com")
        let roles = ["accounts", "roles", "ann@example.com"]
        #expect(try await Self.run(data, roles).output == "ann@example.com has no roles.")
        #expect(try await Self.run(data, roles + ["--add", "editor,admin"]).output == "admin editor")
        #expect(try await Self.run(data, roles + ["--add", "a b"]).code == "78")
        #expect(try await Self.run(data, roles + ["--remove", "admin"]).output == "editor")
        #expect(try await Self.run(data, ["accounts", "list"]).output == "ann@example.com editor")
        let site = try await SiteProcess.start(data.variables, under: SiteProcess.quiet)
        #expect(try await Self.signIn(site, "correct horse") == .ok)
        let changed = try await Self.run(
            data, ["accounts", "password", "ann@example.com", "--password-stdin"], input: "battery staple")
        #expect(changed.code == "0")
        #expect(try await Self.signIn(site, "correct horse") == .unauthorized)
        #expect(try await Self.signIn(site, "battery staple") == .ok)
        #expect(try await Self.run(data, ["accounts", "disable", "ann@example.com"]).code == "0")
        #expect(try await Self.signIn(site, "battery staple") == .unauthorized)
        #expect(try await Self.run(data, ["accounts", "list"]).output == "ann@example.com editor disabled")
        #expect(try await site.terminate() == "0")
    }

    @Test func `an account whose address no mail can have is added without a welcome`() async throws {
        let data = try Data()
        defer { data.remove() }
        let mails = ["SMTP_URL": "smtp://127.0.0.1:1", "PUBLIC_URL": "https://nest.example.org"]
        let variables = data.variables.merging(mails) { $1 }
        #expect(try await Self.run(data, ["migrate"]).code == "0")
        let (output, code) = try await Self.add("jörg@example.com", variables)
        #expect(code == "0", "\(output)")
        #expect(output.contains("jörg@example.com can sign in now."))
        #expect(output.contains("gets no welcome: ") && !output.contains("PUBLIC_URL"))
        #expect(try await Self.run(data, ["accounts", "list"]).output == "jörg@example.com")
    }

    @Test func `a site that does not know its address welcomes nobody in production`() async throws {
        let data = try Data()
        defer { data.remove() }
        let variables = data.variables.merging(["SMTP_URL": "smtp://127.0.0.1:1"]) { $1 }
        #expect(try await Self.run(data, ["migrate"]).code == "0")
        let (output, code) = try await Self.add("ann@example.com", variables)
        #expect(code == "0", "\(output)")
        #expect(output.contains("ann@example.com gets no welcome: PUBLIC_URL does not say where to sign in."))
    }

    @Test func `a new account gets a welcome, which the site sends`() async throws {
        let data = try Data()
        defer { data.remove() }
        let server = try FakeMailServer()
        var variables = data.variables
        variables["SMTP_URL"] = "smtp://127.0.0.1:\(server.port)"
        variables["PUBLIC_URL"] = "https://nest.example.org"
        #expect(try await Self.run(data, ["migrate"]).code == "0")
        let site = try await SiteProcess.start(variables, under: SiteProcess.quiet)
        let (output, code) = try await Self.add("ann@example.com", variables)
        #expect(code == "0" && output.contains("ann@example.com can sign in now."))
        await server.waitForMail()
        let mail = try #require(server.mails.first)
        #expect(mail.commands.contains("RCPT TO:<ann@example.com>"))
        #expect(mail.text.contains("Subject: Welcome to Roost\r\n"))
        #expect(mail.text.contains("\r\nhttps://nest.example.org/login\r\n"))
        #expect(try await site.terminate() == "0")
    }

    private static func add(
        _ email: String, _ variables: [String: String]
    ) async throws -> (output: String, code: String) {
        try await SiteProcess.fail(
            variables, ["accounts", "add", email, "--password-stdin"],
            under: ["sh", "-c", "echo 'correct horse' | \"$@\"", "sh"])
    }

    /// Over plain HTTP on loopback, which is possible in production, too.
    static func signIn(_ site: SiteProcess, _ password: String) async throws -> HTTPResponse.Status {
        try await WireClient(port: site.port).request(
            .post, "/login", headers: [.contentType: "application/json"],
            body: Array(#"{"email":"ann@example.com","password":"\#(password)"}"#.utf8)
        ).status
    }

    @Test(arguments: [
        (["accounts", "add", "ann", "--password-stdin"], "\"ann\" is not an email address."),
        (["accounts", "add", "a@b", "--password-stdin"], "This password is one of the most common ones"),
        (["accounts", "disable", "a@b"], "There is no account with the address a@b."),
        (["accounts", "roles", "a@b", "--add", "admin"], "There is no account with the address a@b."),
        // It does not ask for a password first.
        (["accounts", "password", "a@b"], "There is no account with the address a@b."),
        (["accounts", "add", "ann"], "\"ann\" is not an email address."),
        (["accounts", "add", "a@b", "--roles", "a b"], "\"a b\" cannot be the name of a role"),
        (["accounts", "add", "a@b"], "There is no terminal to type a password on: use --password-stdin."),
    ])
    func `a mistake is one sentence and code 78`(arguments: [String], sentence: String) async throws {
        let data = try Data()
        defer { data.remove() }
        _ = try await Self.run(data, ["migrate"])
        let (output, code) = try await Self.run(data, arguments, input: "password1")
        #expect(code == "78")
        #expect(output.hasPrefix(sentence) && !output.contains("\n"), "\(output)")
    }

    @Test func `the account of development is changed by no command, and each says so`() async throws {
        let data = try Data()
        defer { data.remove() }
        _ = try await Self.run(data, ["migrate"])
        let variables = data.variables.merging(["ROOST_ENV": "development"]) { $1 }
        for words in ["disable", "enable", "password --password-stdin", "roles --add admin"] {
            let arguments = ["accounts"] + words.split(separator: " ").map(String.init) + ["test@example.com"]
            let (output, code) = try await SiteProcess.fail(
                variables, arguments, under: ["sh", "-c", "echo 'correct horse' | \"$@\"", "sh"])
            #expect(code == "78", "\(output)")
            #expect(output.contains("test@example.com is not in the database, so no command can change it."))
        }
    }

    /// The lists, each with the most rows that it has, and the statement that adds some.
    static let lists = [
        (
            "accounts", Account.maximumListed,
            "INSERT INTO accounts (email, email_key, password_hash, roles, created_at)",
            "SELECT n || '@b', n || '@b', 'none', '', 0 FROM numbers"
        ),
        (
            "tokens", APIToken.maximumListed,
            "INSERT INTO api_tokens (token_hash, account, name, scopes, made_at, expires_at)",
            "SELECT n, 1, 'x', '', 0, 0 FROM numbers"
        ),
    ]

    @Test(arguments: lists)
    func `a list that may go on behind its end says so`(list: String, maximum: Int, insert: String, select: String)
        async throws
    {
        let data = try Data()
        defer { data.remove() }
        _ = try await Self.run(data, ["migrate"])
        let database = Database(SQLiteDriver(SQLiteConfiguration(path: "\(data.folder)/roost.sqlite")))
        try await database.start()
        let quiet = ["sh", "-c", "exec \"$0\" \"$@\" >/dev/null"]
        for (first, last) in [(1, maximum - 1), (maximum, maximum)] {
            let numbers = "SELECT \(first) UNION ALL SELECT n + 1 FROM numbers WHERE n < \(last)"
            let statement = "\(insert) WITH RECURSIVE numbers(n) AS (\(numbers)) \(select)"
            try await database.execute(SQL(unchecked: statement))
            let (output, code) = try await SiteProcess.fail(data.variables, [list, "list"], under: quiet)
            #expect(code == "0", "\(output)")
            #expect(output.contains("The list ends after \(maximum) rows: there may be more.") == (last == maximum))
        }
        await database.stop()
    }

    @Test func `production says at start how to add an account`() async throws {
        let data = try Data()
        defer { data.remove() }
        let site = try await SiteProcess.start(data.variables)
        #expect(site.output.contains("add one with App accounts add EMAIL"), "\(site.output)")
        #expect(try await site.terminate() == "0")
    }

    @Test func `a token changes users until it is revoked`() async throws {
        let data = try Data()
        defer { data.remove() }
        _ = try await Self.run(data, ["migrate"])
        _ = try await Self.run(
            data, ["accounts", "add", "ann@example.com", "--password-stdin"], input: "correct horse")
        let token = try await Self.run(data, ["tokens", "add", "ann@example.com", "--name", "deploy"]).output
        #expect(token.hasPrefix("roost_"))
        let site = try await SiteProcess.start(data.variables, under: SiteProcess.quiet)
        #expect(try await Self.addUser(site, token) == .created)
        #expect(try await Self.addUser(site, token + "x") == .unauthorized)
        let list = try await Self.run(data, ["tokens", "list"]).output
        #expect(list.hasPrefix("1 ann@example.com users:write expires 20") && list.hasSuffix("Z deploy"), "\(list)")
        #expect(!list.contains(token))
        let revoked = try await Self.run(data, ["tokens", "revoke", "1"])
        #expect(revoked.code == "0" && revoked.output == "Token 1 has been revoked.", "\(revoked)")
        #expect(try await Self.run(data, ["tokens", "revoke", "1"]).code == "1")
        #expect(try await Self.addUser(site, token) == .unauthorized)
        #expect(try await site.terminate() == "0")
    }

    @Test func `a name cannot control the terminal that lists it`() async throws {
        let data = try Data()
        defer { data.remove() }
        _ = try await Self.run(data, ["migrate"])
        _ = try await Self.run(
            data, ["accounts", "add", "ann@example.com", "--password-stdin"], input: "correct horse")
        let name = "a\u{1B}[2Jb\n2 eve@example.com\u{9B}\u{202E}"
        _ = try await Self.run(data, ["tokens", "add", "ann@example.com", "--name", name])
        let list = try await Self.run(data, ["tokens", "list"]).output
        #expect(list.hasSuffix(#"Z a\u{1b}[2Jb\u{a}2 eve@example.com\u{9b}\u{202e}"#), "\(list)")
    }

    @Test func `a password that is not UTF-8 is refused`() async throws {
        let data = try Data()
        defer { data.remove() }
        _ = try await Self.run(data, ["migrate"])
        let command = ["sh", "-c", #"printf '\344\366\374\344\366\374\344\366\n' | "$@""#, "sh"]
        let arguments = ["accounts", "add", "ann@example.com", "--password-stdin"]
        let (output, code) = try await SiteProcess.fail(data.variables, arguments, under: command)
        #expect(code == "78" && output.contains("The password is not UTF-8."), "\(output)")
    }

    @Test func `programs read what is listed and made as JSON`() async throws {
        struct Account: Decodable, Equatable {
            let email: String
            let roles: [String]
            let isDisabled: Bool
        }
        struct Token: Decodable {
            let id: Int
            let email, text: String?
            let scopes: [String]
            let isRevoked: Bool
            let expires: String
        }
        func json<Value: Decodable>(_ arguments: [String], _ type: Value.Type) async throws -> Value {
            let (output, code) = try await Self.run(data, arguments + ["--json"], input: "correct horse")
            #expect(code == "0", "\(output)")
            return try JSONCoder().decode(type, from: Array(output.utf8))
        }
        let data = try Data()
        defer { data.remove() }
        _ = try await Self.run(data, ["migrate"])
        #expect(try await json(["accounts", "list"], [Account].self) == [])
        #expect(try await json(["tokens", "list"], [Token].self).isEmpty)
        let add = ["accounts", "add", "ann@example.com", "--roles", "b,a", "--password-stdin"]
        let ann = Account(email: "ann@example.com", roles: ["a", "b"], isDisabled: false)
        #expect(try await json(add, Account.self) == ann)
        #expect(try await json(["accounts", "list"], [Account].self) == [ann])
        let made = try await json(["tokens", "add", "ann@example.com", "--scopes", "x,y"], Token.self)
        #expect(made.text?.hasPrefix("roost_") == true && made.email == "ann@example.com" && made.scopes == ["x", "y"])
        let listed = try #require(try await json(["tokens", "list"], [Token].self).first)
        #expect(listed.id == made.id && listed.text == nil && !listed.isRevoked && listed.expires.hasSuffix("Z"))
        #expect(try await json(["tokens", "add", " ANN@example.com"], Token.self).email == "ann@example.com")
    }

    private static func addUser(_ site: SiteProcess, _ token: String) async throws -> HTTPResponse.Status {
        try await WireClient(port: site.port).request(
            .post, "/users", headers: [.contentType: "application/json", .authorization: "Bearer \(token)"],
            body: Array(#"{"name":"Ada"}"#.utf8)
        ).status
    }
}
